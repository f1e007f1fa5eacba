import type { ArgumentShape, CommandShape, OptionShape, TreeShape, ValueKind } from './treeShape.ts'

/** The completion script for Windows PowerShell 5.1 and later. */
export function powershellScript({ commands, globals }: TreeShape): string {
  return `# PowerShell completion for pixgate; printed by pixgate completion powershell

Register-ArgumentCompleter -Native -CommandName 'pixgate' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Commands by path: subcommands with summaries, options, kinds of arguments (a trailing * marks one that repeats).
    $commands = @{
${commands.map(commandEntry).join('\n')}
    }
    # Aliases of commands, with the path of each command.
    $aliases = @{
${commands.flatMap(aliasEntries).join('\n')}
    }
    # Global options: short name, long name, kind of value (a leading ? means optional), description.
    $globals = @(
${globals.map((option) => `        ${optionEntry(option)}`).join('\n')}
    )

${ENGINE}}
`
}

const ENGINE = `    function Find-Option($path, $name) {
        foreach ($option in @($commands[$path].Options) + $globals) {
            if ($option -and ($option[0] -ceq $name -or $option[1] -ceq $name)) { return ,$option }
        }
    }
    function New-Candidate($text, $type, $tip) {
        if (-not $tip) { $tip = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, $type, $tip)
    }
    # Candidates for a value of this kind; $before is the option with its =.
    function Get-Candidates($kind, $before) {
        $kind = $kind.TrimStart('?').TrimEnd('*')
        $found = @()
        if ($kind.StartsWith('words ')) {
            $found = @($kind.Substring(6).Split(' '))
        } elseif ($kind -ceq 'profiles' -or $kind -ceq 'payees' -or $kind -ceq 'ids') {
            $found = @(& pixgate __complete $kind 2>$null)
        }
        foreach ($word in $found) {
            $text = $before + $word
            if ($text.StartsWith($wordToComplete)) { New-Candidate $text 'ParameterValue' $word }
        }
    }

    $path = 'pixgate'
    $kind = ''
    $literal = $false
    $arguments = 0
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        if ($kind -and -not ($kind.StartsWith('?') -and $word.StartsWith('-'))) {
            $kind = ''
        } elseif (-not $literal -and $word -ceq '--') {
            $kind = ''
            $literal = $true
        } elseif (-not $literal -and $word.StartsWith('-') -and $word.Length -gt 1) {
            $option = Find-Option $path $word
            $kind = ''
            if ($option) { $kind = $option[2] }
        } else {
            $kind = ''
            $below = "$path $word"
            if ($aliases.ContainsKey($below)) { $below = $aliases[$below] }
            if (-not $literal -and $arguments -eq 0 -and $commands.ContainsKey($below)) {
                $path = $below
            } else {
                $arguments += 1
            }
        }
    }

    $command = $commands[$path]
    if ($kind -and -not ($kind.StartsWith('?') -and $wordToComplete.StartsWith('-'))) {
        Get-Candidates $kind ''
    } elseif (-not $literal -and $wordToComplete -match '^(--[^=]+)=') {
        $before = $Matches[1]
        $option = Find-Option $path $before
        if ($option) { Get-Candidates $option[2] "$before=" }
    } elseif (-not $literal -and $wordToComplete.StartsWith('-')) {
        foreach ($option in @($command.Options) + $globals) {
            foreach ($name in @($option[1], $option[0])) {
                if ($name -and $name.StartsWith($wordToComplete)) { New-Candidate $name 'ParameterName' $option[3] }
            }
        }
    } else {
        if (-not $literal -and $arguments -eq 0) {
            foreach ($below in $command.Commands) {
                if ($below[0].StartsWith($wordToComplete)) { New-Candidate $below[0] 'ParameterValue' $below[1] }
            }
        }
        $kinds = @($command.Arguments)
        if ($arguments -lt $kinds.Count) {
            Get-Candidates $kinds[$arguments] ''
        } elseif ($kinds.Count -gt 0 -and $kinds[-1].EndsWith('*')) {
            Get-Candidates $kinds[-1] ''
        }
    }
`

function commandEntry(command: CommandShape): string {
  const list = (entries: readonly string[]) =>
    entries.length === 0 ? '@()' : `@(\n${entries.map((entry) => `                ${entry}`).join('\n')}\n            )`
  const commands = command.subcommands.map(({ name, summary }) => `,@(${quote(name)}, ${quote(summary)})`)
  return `        ${quote(command.path)} = @{
            Commands = ${list(commands)}
            Options = ${list(command.options.map(optionEntry))}
            Arguments = @(${command.arguments.map(argumentKindText).join(', ')})
        }`
}

function aliasEntries({ path, subcommands }: CommandShape): string[] {
  return subcommands.flatMap((child) =>
    child.aliases.map((alias) => `        ${quote(`${path} ${alias}`)} = ${quote(child.path)}`),
  )
}

function optionEntry({ short, long, value, kind, description }: OptionShape): string {
  const text = value === 'none' ? '' : value === 'optional' ? `?${kindText(kind)}` : kindText(kind)
  return `,@(${[short ?? '', long, text, description].map(quote).join(', ')})`
}

function argumentKindText({ kind, variadic }: ArgumentShape): string {
  return quote(kindText(kind) + (variadic ? '*' : ''))
}

function kindText(kind: ValueKind): string {
  return kind.type === 'words' ? `words ${kind.words.join(' ')}` : kind.type
}

/**
 * PowerShell treats typographic single quotes like plain ones. It reads what a program prints, and on Windows also a script, in an old code page: other
 * letters are written as their numbers.
 */
function quote(text: string): string {
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  if (isAscii) return `'${text.replaceAll("'", "''")}'`
  const escaped = text.replace(/[`$"]/g, '`$&').replace(/[^\x20-\x7e]/g, (unit) => `$([char]${unit.charCodeAt(0)})`)
  return `"${escaped}"`
}

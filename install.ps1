# Installs pixgate as one executable file, for the user who runs it, on Windows with PowerShell 5.1 or later and its OpenSSH client:
#
#   $env:PIXGATE_RELEASES = 'https://example.com/pixgate/1.2.3'; .\install.ps1
#
# The address is a folder with the files of one release, SHA256SUMS and SHA256SUMS.sig. Nothing that is downloaded runs, and nothing is installed,
# before the signature and the checksum are right. PIXGATE_INSTALL_DIR is the folder to install to; without it, %LOCALAPPDATA%\Programs\pixgate.
# This script has never been run: it was written beside install.sh, whose tests run on Linux.

# The body is a function, so that a script that was cut off does nothing.
function Install-Pixgate {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'

  # The public key of releases, as in SECURITY.md. It is filled in before the first release.
  $releaseKey = ''

  $file = 'pixgate-windows-x64.exe'
  $releases = $env:PIXGATE_RELEASES
  if (-not $releases) { throw 'PIXGATE_RELEASES is not set. Set it to the address of a release; there is no default.' }
  if ($releases -notmatch '^https://') { throw "``$releases`` is not an https:// address. Set PIXGATE_RELEASES to one." }
  if (-not $releaseKey) { throw 'This installer contains no release key, so it can verify nothing. Build pixgate from its source, with Node.js.' }
  if (-not (Get-Command ssh-keygen -ErrorAction SilentlyContinue)) { throw '`ssh-keygen` is not installed. Add the OpenSSH client, then run this again.' }

  $folder = if ($env:PIXGATE_INSTALL_DIR) { $env:PIXGATE_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\pixgate' }
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  $work = Join-Path $folder ('.pixgate-install.' + [System.IO.Path]::GetRandomFileName())
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    foreach ($name in 'SHA256SUMS', 'SHA256SUMS.sig', $file) {
      Invoke-WebRequest -UseBasicParsing -Uri "$releases/$name" -OutFile (Join-Path $work $name)
    }
    $signers = Join-Path $work 'signers'
    [System.IO.File]::WriteAllText($signers, "releases namespaces=`"pixgate-release`" $releaseKey`n")
    # Through cmd, because PowerShell would change the bytes of a file that it pipes.
    $sums = Join-Path $work 'SHA256SUMS'
    cmd /d /c "ssh-keygen -Y verify -f `"$signers`" -I releases -n pixgate-release -s `"$sums.sig`" < `"$sums`" > nul 2>&1"
    if ($LASTEXITCODE -ne 0) { throw "The signature of $releases/SHA256SUMS is wrong; nothing was installed. If the address is right, report it as SECURITY.md says." }
    $lines = @(Get-Content -LiteralPath $sums | Where-Object { $_ -cmatch "^[0-9a-f]{64}  $([regex]::Escape($file))$" })
    if ($lines.Count -ne 1) { throw "SHA256SUMS does not have exactly one line for $file; nothing was installed. Check the address of the release." }
    $found = (Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $work $file)).Hash.ToLowerInvariant()
    if ($found -cne $lines[0].Substring(0, 64)) { throw "$file does not have the signed checksum; nothing was installed. Run this again; if it repeats, report it as SECURITY.md says." }
    $target = Join-Path $folder 'pixgate.exe'
    Move-Item -Force -LiteralPath (Join-Path $work $file) -Destination $target
    Write-Output "Installed ${target}: pixgate $(& $target --version)"
  } finally {
    Remove-Item -Recurse -Force -LiteralPath $work
  }
}

Install-Pixgate

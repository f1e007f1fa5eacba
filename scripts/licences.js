import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

/** What packages hold of others, whose licence is not theirs. Its text is a file of the package, or here. */
const HELD = [
  { holder: 'undici', name: 'llhttp', terms: 'MIT', text: `Copyright Fedor Indutny, 2018.\n\n${MIT}` },
  {
    holder: 'qrcode-terminal',
    name: 'QRCode for JavaScript',
    terms: 'MIT',
    text: `Copyright (c) 2009 Kazuhiko Arase\n\n${MIT}`,
  },
  { holder: '@jsquash/jpeg', name: 'MozJPEG', terms: 'IJG, BSD-3-Clause, Zlib', file: 'codec/LICENSE.codec.md' },
  { holder: '@jsquash/webp', name: 'libwebp', terms: 'BSD-3-Clause', file: 'codec/LICENSE.codec.md' },
]

/** Packages that come without the text of their licence: `postgres` is in the public domain. */
const TEXTS = {
  postgres: `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either in source code form or
as a compiled binary, for any purpose, commercial or non-commercial, and by any means.

In jurisdictions that recognize copyright laws, the author or authors of this software dedicate any and all copyright
interest in the software to the public domain. We make this dedication for the benefit of the public at large and to
the detriment of our heirs and successors. We intend this dedication to be an overt act of relinquishment in perpetuity
of all present and future rights to this software under copyright law.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org/>`,
}

/**
 * Name, version and licence text of every package that these chunks of a bundle have code of, and of what it holds of
 * others. Throws where there is no package, and where one tells no licence or comes without its text.
 */
export function licences(chunks) {
  const texts = bundledPackages(chunks).flatMap(packageLicences)
  return ['The packages in this folder, and their licences:\n', ...texts].join(`\n${'-'.repeat(80)}\n\n`)
}

/** Their folders, by name. */
function bundledPackages(chunks) {
  const folders = new Set()
  for (const chunk of chunks) {
    for (const id of Object.keys(chunk.modules ?? {})) {
      const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []
      if (folder !== undefined) folders.add(folder)
    }
  }
  if (folders.size === 0) throw new Error('No package was found in the bundle')
  return [...folders].sort()
}

/** Name and version of every package that these chunks of a bundle have code of, in the order of their folders. */
export function bundledVersions(chunks) {
  return bundledPackages(chunks).map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version }
  })
}

function packageLicences(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const terms = license ?? licenses?.map(({ type }) => type).join(' OR ')
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? TEXTS[name] : readFileSync(join(folder, file), 'utf8')
  if (!terms || text === undefined) throw new Error(`${name} comes without its licence or the text of it`)
  const held = HELD.filter(({ holder }) => holder === name)
  return [
    `${name} ${version} (${terms})\n\n${text.trim()}\n`,
    ...held.map((part) => {
      const words = part.text ?? readFileSync(join(folder, part.file), 'utf8')
      return `${part.name}, a part of ${name} (${part.terms})\n\n${words.trim()}\n`
    }),
  ]
}

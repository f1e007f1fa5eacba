#!/usr/bin/env node
// So old a language that every Node.js can read it and say what is missing.
var version = process.versions.node.split('.')
var major = Number(version[0])
var minor = Number(version[1])
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 16)) {
  process.stderr.write(['error: pixgate needs Node.js 20.19 or 22.16, this is ', major, '.', minor, '\n'].join(''))
  process.exitCode = 2
} else {
  try {
    require('../dist/main.js')
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    process.stderr.write('error: a part of pixgate is missing: install it again\n')
    process.exitCode = 2
  }
}

import { setCatalogue } from '../src/text/translate.ts'

// A command of the file before may have spoken another language in this process.
setCatalogue(undefined)

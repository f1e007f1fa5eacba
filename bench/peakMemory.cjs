// Preloaded: writes the peak memory of its process, in KiB, where PEAK_MEMORY says.
const { writeFileSync } = require('node:fs')

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY ?? '', String(process.resourceUsage().maxRSS)))

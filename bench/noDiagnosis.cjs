/** Loaded before a listener: its thread is started, but gets nothing to diagnose. */
const { Worker } = require('node:worker_threads')

Worker.prototype.postMessage = () => undefined

/** `fairball-witness`: gives the program its arguments and the real world. */
import { runProgram } from './program.ts'
import { systemRuntime } from './runtime.ts'

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
// Ended at once: a download that is still going on is not waited for.
process.exit(await runProgram(process.argv.slice(2), systemRuntime(), ending.signal))

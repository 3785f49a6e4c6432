/** `fairball-witness`: starts the program with its arguments and the system's runtime. */
import { runProgram } from './program.ts'
import { systemRuntime } from './runtime.ts'

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
// Exits without waiting for a running download.
process.exit(await runProgram(process.argv.slice(2), systemRuntime(), ending.signal))

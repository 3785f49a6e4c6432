/** `fairball-verify`, as a program. */
import process from 'node:process'
import { runCli } from './cli.ts'
import { thisComputer } from './runtime.ts'

process.exitCode = await runCli(process.argv.slice(2), thisComputer())

import { isConsole } from '../config/console-config.ts'
import { Life } from './life.ts'

const args = process.argv.slice(2)

// One of two programs: the console's process never starts what sells, draws and pays.
await new Life().run(async (life) => {
  if (isConsole(process.env, args)) {
    const url = await (await import('./console-process.ts')).startConsole(life, process.env, args)
    process.stdout.write(`\nThe console is ready: ${url}\n\n`)
  } else await (await import('./program.ts')).startProgram(life, process.env, args)
})

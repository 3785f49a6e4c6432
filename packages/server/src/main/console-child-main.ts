import { SERVES } from './console-child.ts'
import { startConsole } from './console-process.ts'
import { Life } from './life.ts'

// The console as a child of the demo, which says where it is.
await new Life({ isChild: true }).run(async (life) => {
  await startConsole(life, process.env, [])
  process.send?.(SERVES)
})

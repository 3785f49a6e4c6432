import { spawn } from 'node:child_process'

/** How a program ended. */
interface Ended {
  readonly output: string
  readonly seconds: number
  /** null when it was ended because it took too long */
  readonly status: number | null
}

/** Runs a program to its end, or for as long as it may take; nothing of it runs afterwards. */
export async function runProgram(
  name: string,
  args: readonly string[],
  options: { folder: string; limitSeconds: number },
): Promise<Ended> {
  const startedMs = performance.now()
  const child = spawn(name, args, {
    cwd: options.folder,
    // What scanners keep lies in the folder of the scan.
    env: { ...process.env, HOME: options.folder, XDG_DATA_HOME: options.folder, PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, which ends as one
  })
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  const timer = setTimeout(end, options.limitSeconds * 1000)
  process.once('exit', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  clearTimeout(timer)
  process.off('exit', end)
  return { output, seconds: (performance.now() - startedMs) / 1000, status }
}

import { spawn } from 'node:child_process'

/** The outcome of a program. */
interface Ended {
  readonly output: string
  readonly seconds: number
  /** null if it was killed at its time limit */
  readonly status: number | null
}

/** Runs a program until it ends or its time limit is reached, and leaves no process behind. */
export async function runProgram(
  name: string,
  args: readonly string[],
  options: { folder: string; limitSeconds: number },
): Promise<Ended> {
  const startedMs = performance.now()
  const child = spawn(name, args, {
    cwd: options.folder,
    // Keeps the scanners' own files inside the scan's folder.
    env: { ...process.env, HOME: options.folder, XDG_DATA_HOME: options.folder, PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a separate process group, killed as a whole
  })
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has already exited.
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

import { createServer } from 'node:net'

/** A port is another program's. */
export class PortTaken extends Error {
  /** @param variable the variable that names the port */
  constructor(port: number, variable: 'PORT' | 'CONSOLE_PORT', cause: unknown) {
    super(`Port ${port} is taken by another program. Set ${variable} to another one, or stop that program.`, { cause })
    this.name = 'PortTaken'
  }
}

/** Finds out that a port is free, before anything slow happens. @returns it, a free one for 0. @throws PortTaken */
export async function portToUse(port: number, host: string, variable: 'PORT' | 'CONSOLE_PORT'): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', (error) => reject(portError(error, port, variable)))
    probe.listen({ port, host, exclusive: true }, () => {
      const bound = probe.address()
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port))
    })
  })
}

/** What failed, as PortTaken if that is it. */
export function portError(error: unknown, port: number, variable: 'PORT' | 'CONSOLE_PORT'): unknown {
  const isTaken = error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  return isTaken ? new PortTaken(port, variable, error) : error
}

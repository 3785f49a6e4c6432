import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the system gives to outgoing connections, which start at 32,768 on Linux. */
const PORTS = { first: 20_000, end: 32_768 }
const TRIES = 100

/**
 * A free port of this computer that no outgoing connection will take.
 *
 * @throws Error when many attempts find none
 */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left -= 1) {
    const port = randomInt(PORTS.first, PORTS.end)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('there is no free port')
}

import { PayeeRefused } from './payee-refused.ts'
import type { PayeesDeps } from './payee.ts'

/** What an invoice is asked to have left: time to pay it, and no time to forget it in. */
const LEAST_SECONDS = 60
const MOST_SECONDS = 86_400

/** Paying oneself succeeds, and would be booked as paid. @throws PayeeRefused */
export async function assertNotOurs(
  { node, nodeId }: Pick<PayeesDeps, 'node' | 'nodeId'>,
  { payee, hash }: { readonly payee: string | null; readonly hash: string },
): Promise<void> {
  const isOurs = payee !== null && payee === (await nodeId())
  if (isOurs || (await node.invoice(hash)).state !== 'unknown')
    throw new PayeeRefused('An invoice of this site cannot be paid.')
}

/**
 * Whether there is enough time to pay, and not too much.
 *
 * @param times.isOurTime whether it was made by our clock, which in the demo runs ahead of the world's
 * @returns when the time is over, by our clock
 * @throws PayeeRefused
 */
export function assertTimeLeft(
  { runtime: { clock } }: Pick<PayeesDeps, 'runtime'>,
  times: { readonly madeAt: number; readonly expirySeconds: number; readonly isOurTime: boolean },
): number {
  const expiresAt = times.madeAt + times.expirySeconds + (times.isOurTime ? 0 : clock.offsetSeconds())
  const left = expiresAt - clock.now()
  if (left < LEAST_SECONDS) throw new PayeeRefused('The wallet’s invoice has no time left.')
  if (left > MOST_SECONDS) throw new PayeeRefused('The wallet’s invoice may be paid for longer than a day.')
  return expiresAt
}

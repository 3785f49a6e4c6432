import type { AdjustableClock } from '../../runtime/runtime.ts'
import type { InvoiceSnapshot, PaymentProvider, SeenOutput } from './payment-provider.ts'

/**
 * A provider whose moments are those of the system's clock. External programs use the time outside, and the demo's
 * clock runs ahead of it: what they saw just now was seen just now by our clock too.
 */
export function inSystemTime(
  provider: PaymentProvider,
  clock: Pick<AdjustableClock, 'offsetSeconds'>,
): PaymentProvider {
  const moved = (output: SeenOutput): SeenOutput => {
    const { seenAt, minedAt } = output
    const offset = clock.offsetSeconds()
    return { ...output, seenAt: seenAt + offset, ...(minedAt === undefined ? {} : { minedAt: minedAt + offset }) }
  }
  const follow = provider.follow?.bind(provider)
  return {
    ...provider,
    async get(ref): Promise<InvoiceSnapshot> {
      const snapshot = await provider.get(ref)
      return { ...snapshot, outputs: snapshot.outputs.map(moved) }
    },
    ...(follow === undefined
      ? {}
      : {
          async follow(cursor: string | null) {
            const changes = await follow(cursor)
            return { ...changes, unknown: changes.unknown.map(moved) }
          },
        }),
  }
}

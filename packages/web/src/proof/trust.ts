import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { type RemoteLog, rootsOfHeads } from '@fairball/domain/protocol/remote-log'
import { type Sight, type Trust, NO_TRUST } from '@fairball/domain/protocol/trust'
import { PolicyError, readPolicy } from '@fairball/domain/protocol/policy'
import type { KeptStore } from './kept-store.ts'

/**
 * This browser's trust (docs/fairness.md, section 11) in the format of a file for `fairball-verify --trust`. All of it
 * is plain data.
 */
export interface TrustFile {
  readonly policy: string | null
  readonly key: string | null
  readonly sights: readonly Sight[]
  readonly heads: readonly string[]
}

/** This browser's trust in a log: its own sights, and the witnesses that its player named. */
export async function ownTrust(store: KeptStore, origin: string): Promise<TrustFile> {
  const log = await store.get('logs', origin)
  const seals = await store.all('seals')
  const heads = (await store.all('heads')).filter((head) => head.origin === origin)
  return {
    policy: log?.policy ?? null,
    key: log?.keys[0] ?? null,
    sights: seals.map(({ open, close, seenAt }) => ({ open, hash: close, at: seenAt })),
    heads: heads.map(({ note }) => note),
  }
}

/**
 * The root of the served log at the size of the newest kept head, which was checked against earlier ones when it was
 * kept.
 */
export async function rootsNow(log: RemoteLog, { heads }: TrustFile): Promise<ReadonlyMap<number, Uint8Array | null>> {
  const sizeOf = (note: string) => readCheckpoint(note)?.size ?? 0
  return rootsOfHeads(log, heads.toSorted((one, other) => sizeOf(other) - sizeOf(one)).slice(0, 1))
}

/** The trust of a file. An unreadable policy trusts nobody. */
export function trustOf({ policy, key, sights, heads }: TrustFile): Trust {
  return { ...NO_TRUST, policy: policy === null ? null : policyOf(policy), key, sights, heads }
}

function policyOf(text: string): Trust['policy'] {
  try {
    return readPolicy(text)
  } catch (error) {
    if (error instanceof PolicyError) return null
    throw error
  }
}

/** The text of a trust's file. */
export function writeTrust(trust: TrustFile): string {
  return `${JSON.stringify(trust, null, 1)}\n`
}

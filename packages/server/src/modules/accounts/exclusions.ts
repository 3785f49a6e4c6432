import type { Tx } from '../../db/pool.ts'
import { excludeEmail, listIdentities } from './queries.ts'
import { identityName } from './recipient.ts'
import type { Secrets } from './secrets.ts'

export type Exclusions = ReturnType<typeof createExclusions>

/** Self-exclusions as keyed hashes of who the person is: they hold for every account that would be opened. */
export function createExclusions({ secrets }: { secrets: Secrets }) {
  /**
   * Keeps an exclusion by the player's e-mail address and by who the player is to a social network. Kept when it begins
   * and for every address that follows: an address that is left during an exclusion opens no second account.
   *
   * @param until epoch seconds; one that was kept until later stays
   */
  async function keep(tx: Tx, player: { id: bigint; email: string | null }, until: number): Promise<void> {
    const identities = await tx.run(listIdentities, [player.id])
    const names = identities.map(({ provider, subject }) => identityName(provider, subject))
    // In one order, so that two who share an address never wait for each other.
    const digests = (player.email === null ? names : [...names, player.email]).map(secrets.emailDigest)
    for (const digest of digests.toSorted((one, other) => Buffer.compare(one, other)))
      await tx.execute(excludeEmail, [until, digest])
  }

  return { keep }
}

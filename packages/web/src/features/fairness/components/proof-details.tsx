import { useKept } from '../../../proof/kept-store.ts'
import type { LogFacts } from '../../../proof/draw-facts.ts'
import type { Proof, ProvenDraw } from '../../../proof/prove.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import { DerivationSteps } from './derivation-steps.tsx'
import styles from './proof-details.module.css'
import { TiersTable } from './tiers-table.tsx'

/** The values behind a check, for experts: the derivation of the balls, the prizes, and the key of the log. Folded. */
export function ProofDetails({ proof: { draws } }: { proof: Proof }) {
  const log = draws[0]?.facts.log ?? null
  return (
    <div className={styles['details']}>
      {draws.map((draw) => (
        <DrawDetails key={draw.report.open} draw={draw} />
      ))}
      {log !== null && <LogKey log={log} />}
    </div>
  )
}

function DrawDetails({ draw: { facts, report } }: { draw: ProvenDraw }) {
  return (
    <>
      {facts.derivation !== null && (
        <div data-game={facts.game}>
          <Disclosure level={2} isPrinted title={PROOF_TEXTS.derivation}>
            <DerivationSteps derivation={facts.derivation} />
          </Disclosure>
        </div>
      )}
      {facts.tiers !== null && (
        <Disclosure level={2} isPrinted title={PROOF_TEXTS.tiers}>
          <TiersTable tiers={facts.tiers} status={report.checks['result.tiers']?.status ?? null} />
        </Disclosure>
      )}
    </>
  )
}

/** The key of the checked log, and the time since when this browser knows it. */
function LogKey({ log: { origin, keys } }: { log: LogFacts }) {
  const { dateTime } = usePlayerView()
  const known = useKept('logs').find((one) => one.origin === origin)
  const key = keys.at(-1) ?? ''
  return (
    <Disclosure level={2} isPrinted title={PROOF_TEXTS.fingerprint}>
      <div className={styles['words']}>
        <p>{PROOF_TEXTS.fingerprintLead(origin)}</p>
        <p className={styles['fingerprint']}>
          <Mono text={key} />
          <CopyButton text={key} label={PROOF_TEXTS.fingerprintLabel} />
        </p>
        {known?.keys.includes(key) === true && (
          <p className={styles['note']}>{PROOF_TEXTS.keySeen(dateTime(known.seenAt))}</p>
        )}
      </div>
    </Disclosure>
  )
}

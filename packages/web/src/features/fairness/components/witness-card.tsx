import { useState } from 'react'
import { keepPolicy, policyFault } from '../../../proof/named-witnesses.ts'
import { useKept } from '../../../proof/kept-store.ts'
import { useClock } from '../../../shared/use-clock.ts'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { TextAreaField } from '@fairball/ui/field.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import { useLogEnd } from '../use-log.ts'
import { useNamedWitnesses } from '../use-witnesses.ts'
import styles from './witness-card.module.css'

/** Path of the witness program on this server, one file for Node. */
const WITNESS_ADDRESS = '/fairness/fairball-witness.mjs'

/** An explanation of witnesses, those that the operator names, and those that this browser's player trusts. */
export default function WitnessCard() {
  const hasScripts = useHasScripts()
  return (
    <Card id="witnesses" title={FAIRNESS_TEXTS.witness}>
      <div className={styles['words']}>
        <p>{FAIRNESS_TEXTS.witnessText}</p>
        {/* Data that another part of the page has fetched meanwhile is not in the server's HTML. */}
        {hasScripts && <NamedWitnesses />}
        <p>{FAIRNESS_TEXTS.witnessTrust}</p>
        {hasScripts && <PolicyOfLog />}
        <p>{FAIRNESS_TEXTS.witnessRun}</p>
        <p>
          <LinkButton href={WITNESS_ADDRESS} download variant="secondary" icon={<DownloadIcon size={18} />}>
            {FAIRNESS_TEXTS.witnessDownload}
          </LinkButton>
        </p>
      </div>
    </Card>
  )
}

function NamedWitnesses() {
  const named = useNamedWitnesses().data
  if (named === undefined) return null
  if (named.length === 0) return <Banner kind="warning">{FAIRNESS_TEXTS.witnessNone}</Banner>
  return <p>{FAIRNESS_TEXTS.witnessNamed(named)}</p>
}

function PolicyOfLog() {
  const origin = useLogEnd().data?.origin
  return origin === undefined ? null : <OwnPolicy origin={origin} />
}

/** The policy of this browser's player, in a form. */
function OwnPolicy({ origin }: { origin: string }) {
  const clock = useClock()
  const kept = useKept('logs').find((log) => log.origin === origin)?.policy ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [result, setResult] = useState<{ fault: string | null } | null>(null)
  const text = typed ?? kept
  const save = async () => {
    const policy = text.trim() === '' ? null : `${text.trim()}\n`
    const fault = policy === null ? null : policyFault(policy)
    if (fault === null) await keepPolicy(origin, policy, clock.now())
    setResult({ fault })
  }
  const change = (value: string) => {
    setTyped(value)
    setResult(null)
  }
  return (
    <div className={styles['policy']}>
      <TextAreaField
        label={FAIRNESS_TEXTS.policyLabel}
        hint={FAIRNESS_TEXTS.policyHint}
        error={result?.fault ?? undefined}
        value={text}
        onChange={change}
        rows={4}
      />
      <p>
        <Button variant="soft" onClick={() => void save()}>
          {FAIRNESS_TEXTS.policySave}
        </Button>
      </p>
      <p role="status">{result?.fault === null && FAIRNESS_TEXTS.policySaved}</p>
    </div>
  )
}

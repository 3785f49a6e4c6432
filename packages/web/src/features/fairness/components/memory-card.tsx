import { useState } from 'react'
import { keptStore, useKept } from '../../../proof/kept-store.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import styles from './memory-card.module.css'

/** This browser's record of the operator's log, and a button to delete it. */
export default function MemoryCard() {
  const logs = useKept('logs')
  const heads = useKept('heads')
  const orders = useKept('orders')
  const papers = useKept('papers')
  const seals = useKept('seals')
  const { dateTime } = usePlayerView()
  if (logs.length + heads.length + orders.length + papers.length + seals.length === 0) {
    return (
      <Card id="memory" title={FAIRNESS_TEXTS.memory}>
        <p>{FAIRNESS_TEXTS.memoryNone}</p>
      </Card>
    )
  }
  const seenAt = logs.map((log) => log.seenAt)
  const sizes = heads.map(({ size }) => size)
  const items = [
    ...(seenAt.length === 0 ? [] : [{ term: FAIRNESS_TEXTS.memoryKey, value: dateTime(Math.min(...seenAt)) }]),
    ...(sizes.length === 0
      ? []
      : [{ term: FAIRNESS_TEXTS.memoryLog, value: FAIRNESS_TEXTS.memoryStatement(Math.max(...sizes)) }]),
    { term: FAIRNESS_TEXTS.memoryOrders, value: orders.length.toLocaleString('en-US') },
    { term: FAIRNESS_TEXTS.memoryPapers, value: papers.length.toLocaleString('en-US') },
    { term: FAIRNESS_TEXTS.memorySeals, value: seals.length.toLocaleString('en-US') },
  ]
  return (
    <Card id="memory" title={FAIRNESS_TEXTS.memory} lead={FAIRNESS_TEXTS.memoryLead}>
      <DefinitionList ruled items={items} />
      <Forget />
    </Card>
  )
}

function Forget() {
  const [isAsked, setIsAsked] = useState(false)
  const forget = async () => {
    await keptStore().forget()
    setIsAsked(false)
  }
  if (!isAsked) {
    return (
      <p>
        <Button variant="soft" onClick={() => setIsAsked(true)}>
          {FAIRNESS_TEXTS.forget}
        </Button>
      </p>
    )
  }
  return (
    <Banner
      kind="warning"
      live
      action={
        <span className={styles['answers']}>
          <Button variant="danger" size="small" onClick={() => void forget()}>
            {FAIRNESS_TEXTS.forgetYes}
          </Button>
          <Button variant="soft" size="small" onClick={() => setIsAsked(false)}>
            {FAIRNESS_TEXTS.forgetNo}
          </Button>
        </span>
      }
    >
      {FAIRNESS_TEXTS.forgetAsk}
    </Banner>
  )
}

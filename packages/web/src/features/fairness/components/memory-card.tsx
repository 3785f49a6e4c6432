import { useState } from 'react'
import { browserLogStore } from '../../../proof/log-store.ts'
import { fairnessMemory, useRemembered } from '../../../proof/memory.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import styles from './memory-card.module.css'

/** What this browser has seen of the operator, and a way to delete it. */
export default function MemoryCard() {
  const { keySeenAt, head, closes } = useRemembered()
  const { dateTime } = usePlayerView()
  if (keySeenAt === null && closes.length === 0) {
    return (
      <Card id="memory" title={FAIRNESS_TEXTS.memory}>
        <p>{FAIRNESS_TEXTS.memoryNone}</p>
      </Card>
    )
  }
  const items = [
    ...(keySeenAt === null ? [] : [{ term: FAIRNESS_TEXTS.memoryKey, value: dateTime(keySeenAt) }]),
    ...(head === null ? [] : [{ term: FAIRNESS_TEXTS.memoryLog, value: FAIRNESS_TEXTS.memoryStatement(head.seq) }]),
    { term: FAIRNESS_TEXTS.memoryCloses, value: closes.length.toLocaleString('en-US') },
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
    fairnessMemory().forget()
    await browserLogStore.forget()
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

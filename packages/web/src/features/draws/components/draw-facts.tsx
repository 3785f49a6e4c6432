import { Card } from '@fairball/ui/card.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import type { Definition } from '@fairball/ui/definition-list.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { DRAWS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { PlayerView } from '../../../shared/player-view.ts'
import type { Amount, DrawDetails } from '../use-draws.ts'
import styles from './draw-facts.module.css'
import { Partners } from './partners.tsx'

/** Jackpot, donation, partners, entries, times and the rate of a draw. */
export function DrawFacts({ draw }: { draw: DrawDetails }) {
  const view = usePlayerView()
  return (
    <Card title={DRAWS_TEXTS.facts}>
      <DefinitionList ruled items={factsOf(draw, view)} />
    </Card>
  )
}

function factsOf(draw: DrawDetails, { money, dateTime }: PlayerView): Definition[] {
  const isOpen = draw.status === 'OPEN'
  const isDrawn = draw.status === 'DRAWN'
  return [
    ...(isDrawn ? paidBy(draw, money) : []),
    {
      term: DRAWS_TEXTS.entries,
      value: draw.entries === null ? DRAWS_TEXTS.entriesLater : draw.entries.toLocaleString('en-US'),
    },
    {
      term: isOpen ? DRAWS_TEXTS.closesAtOpen : DRAWS_TEXTS.closesAt,
      value: dateTime(draw.ticket_sell_closes_at),
    },
    { term: isDrawn ? DRAWS_TEXTS.startAt : DRAWS_TEXTS.startAtOpen, value: dateTime(draw.datetime) },
    {
      term: DRAWS_TEXTS.rate,
      value:
        draw.rate === null ? (
          DRAWS_TEXTS.rateLater
        ) : (
          <span className={styles['lines']}>
            {DRAWS_TEXTS.rateText(draw.rate.code, draw.rate.sats)}
            <span>{DRAWS_TEXTS.rateAt(dateTime(draw.rate.at))}</span>
          </span>
        ),
    },
  ]
}

/** The jackpot, and the partners' share. */
function paidBy(draw: DrawDetails, money: PlayerView['money']): Definition[] {
  return [
    {
      term: DRAWS_TEXTS.jackpot,
      value: draw.jackpot === false ? <NoJackpot /> : <Money amount={draw.jackpot} money={money} />,
    },
    {
      term: DRAWS_TEXTS.donation,
      value: draw.donation === false ? DRAWS_TEXTS.noDonation : <Money amount={draw.donation} money={money} />,
    },
    ...(draw.partners.length === 0
      ? []
      : [{ term: DRAWS_TEXTS.partners, value: <Partners partners={draw.partners} /> }]),
  ]
}

function NoJackpot() {
  return (
    <>
      <span aria-hidden="true">{DRAWS_TEXTS.noJackpot}</span>
      <VisuallyHidden>{DRAWS_TEXTS.noJackpotSpoken}</VisuallyHidden>
    </>
  )
}

function Money({ amount, money }: { amount: Amount; money: PlayerView['money'] }) {
  return (
    <span className={styles['lines']}>
      {money(amount.fiat)}
      <span>
        {amount.crypto.value} {amount.crypto.code}
      </span>
    </span>
  )
}

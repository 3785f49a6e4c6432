import type { MoneyPart } from '../../../shared/data/money-sides.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Card } from '@fairball/ui/card.tsx'
import { StackedBar, Swatch } from '@fairball/ui/stacked-bar.tsx'
import { DRAWS_TEXTS } from '../messages.ts'
import { moneyParts } from '../money-parts.ts'
import type { DrawDetails } from '../use-draws.ts'
import styles from './draw-money.module.css'

type Money = NonNullable<DrawDetails['money']>

/** The sources and uses of a draw's money, as a picture and as sums that add up. */
export function DrawMoney({ draw }: { draw: DrawDetails }) {
  return (
    <Card title={DRAWS_TEXTS.money} lead={DRAWS_TEXTS.moneyLead}>
      {draw.money === null ? (
        <p>{draw.status === 'VOID' ? DRAWS_TEXTS.moneyVoid : DRAWS_TEXTS.moneyLater}</p>
      ) : (
        <Flow money={draw.money} entries={draw.entries ?? 0} />
      )}
    </Card>
  )
}

function Flow({ money, entries }: { money: Money; entries: number }) {
  const { cameIn, wentOut, totalBtc } = moneyParts(money, entries)
  if (totalBtc === null) return <p>{DRAWS_TEXTS.moneyNone}</p>
  return (
    <div className={styles['flow']}>
      <div className={styles['sides']}>
        <Side title={DRAWS_TEXTS.cameIn} parts={cameIn} totalBtc={totalBtc} />
        <Side title={DRAWS_TEXTS.wentOut} parts={wentOut} totalBtc={totalBtc} />
      </div>
      <Notes money={money} />
    </div>
  )
}

function Side({ title, parts, totalBtc }: { title: string; parts: readonly MoneyPart[]; totalBtc: string }) {
  const { money } = usePlayerView()
  return (
    <section className={styles['side']} aria-label={title}>
      <h3 className={styles['heading']}>{title}</h3>
      <StackedBar parts={parts} />
      <dl className={styles['parts']}>
        {parts.map((part) => (
          <div key={part.name} className={styles['part']} data-empty={part.percent === 0 || undefined}>
            <dt>
              <Swatch tone={part.tone} />
              {part.name}
            </dt>
            <dd>
              {money(part.amount.fiat)}
              <span>
                {part.amount.crypto.value} {part.amount.crypto.code}
              </span>
            </dd>
          </div>
        ))}
        <div className={styles['total']}>
          <dt>{DRAWS_TEXTS.total}</dt>
          <dd>{totalBtc} BTC</dd>
        </div>
      </dl>
    </section>
  )
}

function Notes({ money: flow }: { money: Money }) {
  const { money } = usePlayerView()
  return (
    <div className={styles['notes']}>
      <p>{DRAWS_TEXTS.moneySplit(money(flow.prize_pool_share.fiat))}</p>
      {flow.released !== null && (
        <p>{DRAWS_TEXTS.moneyReleased(money(flow.released.fee.fiat), money(flow.released.donation.fiat))}</p>
      )}
      <p>{DRAWS_TEXTS.moneyRounding}</p>
    </div>
  )
}

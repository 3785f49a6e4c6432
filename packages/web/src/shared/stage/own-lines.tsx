import { countByMatches, linesHolding, nextStepOf, standingsOf } from '@fairball/domain/line-standings'
import type { LineStanding } from '@fairball/domain/line-standings'
import { useMemo, useState } from 'react'
import { Ball } from '@fairball/ui/ball.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { LineLadder } from './line-ladder.tsx'
import { LineLetter } from './line-letter.tsx'
import { STAGE_TEXTS } from './messages.ts'
import styles from './own-lines.module.css'
import type { Tier } from './tiers.ts'
import { useMovingRows } from './use-moving-rows.ts'

/** Lines shown before the player asks for all, and how many more are shown at a time then. */
const FIRST_LINES = 5
const LINES_AT_ONCE = 100

/** Props of {@link OwnLines}. */
interface OwnLinesProps {
  lines: readonly (readonly number[])[]
  /** The names of the lines, in the same order. */
  names: readonly string[]
  /** The balls that lie in the tray, in the order drawn. */
  drawn: readonly number[]
  /** Balls of the draw. */
  pick: number
  tiers: readonly Tier[]
}

/** The player's lines beside the balls drawn so far, the best first, and how many of them hold which prize. */
export default function OwnLines({ lines, names, drawn, pick, tiers }: OwnLinesProps) {
  const standings = useMemo(() => standingsOf(lines, drawn), [lines, drawn])
  const counts = useMemo(() => countByMatches(standings, pick), [standings, pick])
  return (
    <div className={styles['room']}>
      <div className={styles['columns']}>
        <Card
          title={STAGE_TEXTS.yourLines(lines.length)}
          actions={<Held counts={counts} tiers={tiers} isOver={drawn.length === pick} />}
        >
          <LastBall lines={lines} names={names} drawn={drawn} pick={pick} standings={standings} tiers={tiers} />
          <Rows standings={standings} names={names} drawn={drawn} pick={pick} tiers={tiers} />
        </Card>
        <LineLadder counts={counts} tiers={tiers} toCome={pick - drawn.length} />
      </div>
    </div>
  )
}

/** What the lines hold already. Nothing is won before the prizes are counted, so no word says so. */
function Held({ counts, tiers, isOver }: { counts: readonly number[]; tiers: readonly Tier[]; isOver: boolean }) {
  const countOf = (isFree: boolean) =>
    tiers
      .filter(({ type }) => (type === 'FREE_TICKET') === isFree)
      .reduce((sum, { matches }) => sum + (counts[matches] ?? 0), 0)
  const held = STAGE_TEXTS.held(countOf(false), countOf(true))
  if (held === '') return null
  return <p className={styles['held']}>{isOver ? held : STAGE_TEXTS.soFar(held)}</p>
}

/** What the newest ball means for the lines, and with few to come what the next one could. */
function LastBall({
  lines,
  names,
  drawn,
  pick,
  standings,
  tiers,
}: OwnLinesProps & { standings: readonly LineStanding[] }) {
  const last = drawn.at(-1)
  const step = nextStepOf(
    standings,
    { drawn, pick },
    tiers.map(({ matches }) => matches),
  )
  const tier = tiers.find(({ matches }) => matches === step?.matches)
  return (
    <div className={styles['last']}>
      {last === undefined ? (
        <p>{STAGE_TEXTS.beforeBalls}</p>
      ) : (
        <>
          <span aria-hidden="true">
            <Ball number={last} size={36} />
          </span>
          <div>
            <p className={styles['sentence']}>
              {STAGE_TEXTS.ballMatches(last, linesHolding(lines, last), lines.length)}
            </p>
            {step !== null && tier !== undefined && (
              <p className={styles['next']}>
                {STAGE_TEXTS.ifNext(step.number, names[step.place] ?? '', step.matches, pick, inSentence(tier))}
              </p>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** A sum stays as it is; "free ticket" and "jackpot" have no capital within a sentence. */
function inSentence({ type, prize }: Tier): string {
  return type === 'PRIZE' ? prize : prize.toLowerCase()
}

/** The first rows, and on request the others, as many at a time as a browser lays out at once. */
function Rows({
  standings,
  names,
  drawn,
  pick,
  tiers,
}: Pick<OwnLinesProps, 'names' | 'drawn' | 'pick' | 'tiers'> & { standings: readonly LineStanding[] }) {
  const [most, setMost] = useState(FIRST_LINES)
  const shown = standings.slice(0, most)
  const list = useMovingRows(shown.map(({ place }) => place).join())
  const more = () => setMost((before) => (before === FIRST_LINES ? LINES_AT_ONCE : before + LINES_AT_ONCE))
  return (
    <>
      <ul className={styles['rows']} ref={list}>
        {shown.map((standing) => (
          <Row
            key={standing.place}
            standing={standing}
            name={names[standing.place] ?? ''}
            drawn={drawn}
            pick={pick}
            tiers={tiers}
          />
        ))}
      </ul>
      {shown.length < standings.length && (
        <div>
          <Button variant="soft" size="small" onClick={more}>
            {most === FIRST_LINES ? STAGE_TEXTS.showAll(standings.length) : STAGE_TEXTS.showMore}
          </Button>
        </div>
      )}
    </>
  )
}

function Row({
  standing: { place, numbers, matches },
  name,
  drawn,
  pick,
  tiers,
}: Pick<OwnLinesProps, 'drawn' | 'pick' | 'tiers'> & { standing: LineStanding; name: string }) {
  const tier = tiers.find((one) => one.matches === matches)
  return (
    <li className={styles['row']} data-row={place}>
      <LineLetter name={name} className={styles['letter']} />
      <ul className={styles['balls']} aria-label={STAGE_TEXTS.line(name)}>
        {numbers.map((number) => (
          <li key={number}>
            <Ball
              number={number}
              size="fluid"
              state={drawn.includes(number) ? 'matched' : 'unmatched'}
              className={styles['ball']}
            />
          </li>
        ))}
      </ul>
      <span className={styles['tag']} data-held={tier !== undefined || undefined}>
        <span>{STAGE_TEXTS.matchesOf(matches, pick)}</span>
        {tier !== undefined && (
          <>
            <span className={styles['dot']}> · </span>
            <span>{inSentence(tier)}</span>
          </>
        )}
      </span>
    </li>
  )
}

import { GAMES } from '@fairball/domain/seeds'
import type { GameRules, GameWithRules } from '@fairball/domain/games'
import { formatMoney } from '@fairball/domain/fiat'
import { useMinuteNow } from '../../../shared/clock.ts'
import { useGames } from '../../../shared/data/games.ts'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { amountIn, useUtcOffset } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Ball } from '../../../ui/ball.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Link } from '../../../ui/link.tsx'
import {
  clockTime,
  drawTimesText,
  overallOddsText,
  figureText,
  poundsText,
  returnBelowJackpotText,
  tierRows,
} from '../game-rules.ts'
import type { TierRow } from '../game-rules.ts'
import { TERMS_TEXTS as TEXTS } from '../messages.ts'
import styles from './game-sections.module.css'

/** The currency of the rules: amounts in it need no conversion. */
const RULES_CURRENCY = 'GBP'

/** The rules of every offered game, computed from the code's own rules, with links to each at the top. */
export function GameSections() {
  const { data: offered } = useGames()
  const games = GAMES.filter((game) => offered?.some(({ key }) => key === game.key) ?? true)
  return (
    <>
      <ul className={styles['index']} aria-label={TEXTS.gameIndex}>
        {games.map((game) => (
          <li key={game.key} data-game={game.key}>
            <a className={styles['jump']} href={`#${game.key}`}>
              <Ball number={game.pick} size={36} />
              {game.name}
            </a>
          </li>
        ))}
      </ul>
      {games.map((game) => (
        <GameSection key={game.key} rules={game} offered={offered?.find(({ key }) => key === game.key) ?? null} />
      ))}
    </>
  )
}

function GameSection({ rules, offered }: { rules: GameWithRules; offered: Game | null }) {
  const { currencyCode } = useSession()
  const price =
    offered === null || currencyCode === RULES_CURRENCY ? null : amountIn(offered.ticket_price.fiat, currencyCode)
  return (
    <section id={rules.key} data-game={rules.key} className={styles['game']} aria-labelledby={`${rules.key}-title`}>
      <header className={styles['field']}>
        <h3 id={`${rules.key}-title`} className={styles['name']}>
          {rules.name}
        </h3>
        <span className={styles['ball']} aria-hidden="true">
          <Ball number={rules.pick} size={64} onField />
        </span>
      </header>
      <div className={styles['rules']}>
        <DefinitionList
          ruled
          items={[
            { term: TEXTS.numbers, value: TEXTS.numbersValue(rules.pick, rules.pool) },
            {
              term: TEXTS.price,
              value: [poundsText(rules.priceMinor), price === null ? '' : TEXTS.priceNow(formatMoney(price))]
                .filter(Boolean)
                .join(', '),
            },
            { term: TEXTS.draws, value: TEXTS.drawsValue(drawTimesText(rules.drawTimes, 0, clockTime)) },
            ...useDrawsHere(rules),
            { term: TEXTS.closes, value: TEXTS.closesValue(Math.ceil(rules.closesBeforeSeconds / 60)) },
            { term: TEXTS.weeks, value: TEXTS.weeksValue(rules.weeksAhead) },
            { term: TEXTS.most, value: rules.mostEntries.toLocaleString('en-US') },
            { term: TEXTS.guaranteed, value: figureText(rules.guaranteedMinor) },
            { term: TEXTS.cover, value: TEXTS.coverValue(figureText(rules.coverMinor)) },
            ...(offered === null ? [] : [{ term: TEXTS.split, value: TEXTS.splitValue(offered.split) }]),
            { term: TEXTS.overall, value: overallOddsText(rules) },
            { term: TEXTS.below, value: TEXTS.belowValue(returnBelowJackpotText(rules)) },
          ]}
        />
        <div className={styles['prizes']}>
          <DataTable
            caption={TEXTS.prizesCaption(rules.name)}
            columns={columnsFor(rules)}
            rows={tierRows(rules)}
            rowKey={(row) => row.matches}
          />
          <p className={styles['play']}>
            <Link href={paths.game(rules.key)}>{TEXTS.play(rules.name)}</Link>
          </p>
        </div>
      </div>
    </section>
  )
}

/** @returns the draws by the reader's own clock, unless it is UTC */
function useDrawsHere(rules: GameRules): { term: string; value: string }[] {
  const utcOffsetSeconds = useUtcOffset()(useMinuteNow())
  if (utcOffsetSeconds === 0) return []
  return [{ term: TEXTS.drawsHere, value: drawTimesText(rules.drawTimes, utcOffsetSeconds, clockTime) }]
}

function columnsFor({ pick }: GameRules): Column<TierRow>[] {
  return [
    {
      heading: TEXTS.matches,
      cell: (row) => (
        <span className={styles['matches']}>
          <span className={styles['dots']} aria-hidden="true">
            {Array.from({ length: pick }, (_, place) => (
              <i key={place} className={styles['dot']} data-on={place < row.matches || undefined} />
            ))}
          </span>
          {TEXTS.matchesOf(row.matches, pick)}
        </span>
      ),
    },
    { heading: TEXTS.prize, align: 'end', cell: (row) => <strong>{row.prize}</strong> },
    { heading: TEXTS.odds, align: 'end', cell: (row) => row.odds },
  ]
}

import { rulesFromJson } from '@fairball/domain/game-json'
import type { GameRules } from '@fairball/domain/games'
import { formatMoney } from '@fairball/domain/fiat'
import { minorText } from '@fairball/domain/minor-text'
import { useMinuteNow } from '../../../shared/use-clock.ts'
import { useGameVersions } from '../../../shared/data/game-versions.ts'
import { useGames } from '../../../shared/data/games.ts'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { amountIn, useUtcOffset } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { Link } from '@fairball/ui/link.tsx'
import {
  clockTime,
  drawTimesText,
  overallOddsText,
  figureText,
  returnBelowJackpotText,
  tierRows,
} from '../game-rules.ts'
import type { TierRow } from '../game-rules.ts'
import { TERMS_TEXTS as TEXTS } from '../messages.ts'
import styles from './game-sections.module.css'

/** The rules of every offered game, as they were announced for its next draw, with links to each at the top. */
export function GameSections() {
  const { data: games = [] } = useGames()
  return (
    <>
      <ul className={styles['index']} aria-label={TEXTS.gameIndex}>
        {games.map((game) => (
          <li key={game.key} data-game={game.key}>
            <a className={styles['jump']} href={`#${game.key}`}>
              <Ball number={game.sets[0]?.n ?? 0} size={36} />
              {game.name}
            </a>
          </li>
        ))}
      </ul>
      {games.map((game) => (
        <GameSection key={game.key} game={game} />
      ))}
    </>
  )
}

function GameSection({ game }: { game: Game }) {
  const { key, name } = game
  const { data: versions = [] } = useGameVersions(key)
  const next = versions.find(({ from_draw }) => from_draw !== null && from_draw <= game.next_draw.number)
  return (
    <section id={key} data-game={key} className={styles['game']} aria-labelledby={`${key}-title`}>
      <header className={styles['field']}>
        <h3 id={`${key}-title`} className={styles['name']}>
          {name}
        </h3>
        <span className={styles['ball']} aria-hidden="true">
          <Ball number={game.sets[0]?.n ?? 0} size={64} onField />
        </span>
      </header>
      {next === undefined ? <Skeleton shape="block" /> : <Rules game={game} rules={rulesFromJson(next.rules)} />}
    </section>
  )
}

function Rules({ game, rules }: { game: Game; rules: GameRules }) {
  const { currencyCode } = useSession()
  // Amounts in the game's own currency need no conversion.
  const price = currencyCode === rules.currency ? null : amountIn(game.ticket_price.fiat, currencyCode)
  return (
    <div className={styles['rules']}>
      <DefinitionList
        ruled
        items={[
          { term: TEXTS.numbers, value: TEXTS.numbersValue(rules.pick, rules.pool) },
          {
            term: TEXTS.price,
            value: [
              minorText(rules.priceMinor, rules.currency),
              price === null ? '' : TEXTS.priceNow(formatMoney(price)),
            ]
              .filter(Boolean)
              .join(', '),
          },
          { term: TEXTS.draws, value: TEXTS.drawsValue(drawTimesText(rules.drawTimes, 0, clockTime)) },
          ...useDrawsHere(rules),
          { term: TEXTS.closes, value: TEXTS.closesValue(Math.ceil(rules.closesBeforeSeconds / 60)) },
          { term: TEXTS.weeks, value: TEXTS.weeksValue(rules.weeksAhead) },
          { term: TEXTS.most, value: rules.mostEntries.toLocaleString('en-US') },
          { term: TEXTS.guaranteed, value: figureText(rules.guaranteedMinor, rules.currency) },
          { term: TEXTS.cover, value: TEXTS.coverValue(figureText(rules.coverMinor, rules.currency)) },
          { term: TEXTS.split, value: TEXTS.splitValue(game.split) },
          { term: TEXTS.overall, value: overallOddsText(rules) },
          { term: TEXTS.below, value: TEXTS.belowValue(returnBelowJackpotText(rules)) },
        ]}
      />
      <div className={styles['prizes']}>
        <DataTable
          caption={TEXTS.prizesCaption(game.name)}
          columns={columnsFor(rules)}
          rows={tierRows(rules)}
          rowKey={(row) => row.matches}
        />
        <p className={styles['play']}>
          <Link href={paths.game(game.key)}>{TEXTS.play(game.name)}</Link>
        </p>
      </div>
    </div>
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

import { changeSentences } from '@fairball/domain/change-sentences'
import { rulesFromJson } from '@fairball/domain/game-json'
import type { GameChange } from '@fairball/contract/schemas/game'
import { Banner } from '../ui/banner.tsx'
import { Link } from '../ui/link.tsx'
import { Mono } from '../ui/mono.tsx'
import { useGameVersions } from './data/game-versions.ts'
import { paths } from './paths.ts'
import { usePlayerView } from './player-view.ts'
import styles from './coming-change-notice.module.css'

const TEXTS = {
  ends: (game: string) => `${game} comes to an end.`,
  last: (draw: number, date: string) =>
    `Draw ${draw} is its last: no draw starts on ${date} or later. Free tickets that are left then are paid out.`,
  changes: (game: string, draw: number, date: string) => `${game} changes from draw ${draw}, ${date}.`,
  before: 'Draws before it keep their price and prizes.',
  announced: 'Announced in the public record:',
  all: 'All rules and their versions',
}

/** What changes, from which draw, and the statement that announced it. */
export default function ComingChangeNotice({
  gameKey,
  name,
  change,
}: {
  gameKey: string
  name: string
  change: GameChange
}) {
  const { shortDate } = usePlayerView()
  const { data: versions = [] } = useGameVersions(gameKey)
  const date = shortDate(change.from_at)
  const isEnd = change.kinds.includes('retire')
  const after = versions.find(({ version }) => version === change.version)
  const before = versions.find(({ version }) => version < change.version)
  const sentences =
    isEnd || after === undefined || before === undefined
      ? []
      : changeSentences(rulesFromJson(before.rules), rulesFromJson(after.rules))
  return (
    <Banner kind="info">
      <div className={styles['notice']}>
        <p>
          <strong>{isEnd ? TEXTS.ends(name) : TEXTS.changes(name, change.from_draw, date)}</strong>{' '}
          {isEnd ? TEXTS.last(change.from_draw - 1, date) : TEXTS.before}
        </p>
        {sentences.length > 0 && (
          <ul className={styles['sentences']}>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        <p className={styles['source']}>
          {change.statement !== null && (
            <>
              {TEXTS.announced} <Mono text={change.statement} />{' '}
            </>
          )}
          <Link href={`${paths.fairness()}#games`}>{TEXTS.all}</Link>
        </p>
      </div>
    </Banner>
  )
}

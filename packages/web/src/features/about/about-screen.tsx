import { useConfig, useContent } from '../../shared/config.ts'
import { useLooks } from '../../shared/data/game-looks.ts'
import { useGames } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { rangesOf } from '../../shared/data/shares.ts'
import { paths } from '../../shared/paths.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle, SectionTitle } from '@fairball/ui/page-title.tsx'
import { Paragraphs } from '@fairball/ui/reading-page.tsx'
import styles from './about-screen.module.css'
import { ABOUT_TEXTS as TEXTS } from './messages.ts'

/** The balls of the picture, with the looks of games by their place in the list. They are not a draw. */
const BALLS = [
  { look: 2, number: 23 },
  { look: 1, number: 38 },
  { look: 3, number: 7 },
  { look: 5, number: 16 },
  { look: 4, number: 9 },
] as const

/** What Fairball is, its principles, and its operator. */
export function AboutScreen(_props: object) {
  const { data: games = [] } = useGames()
  const [first] = games
  const lookAt = useLooks()
  return (
    <div className={styles['page']}>
      <section className={styles['field']}>
        <div className={styles['words']}>
          <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
          <p className={styles['actions']}>
            {first !== undefined && (
              <LinkButton href={paths.game(first.key)} onField>
                {TEXTS.play(first.name)}
              </LinkButton>
            )}
            <LinkButton href={paths.winnersAndGoodCauses()} variant="secondary" onField>
              {TEXTS.winners}
            </LinkButton>
          </p>
        </div>
        <span className={styles['balls']} aria-hidden="true">
          {BALLS.map(({ look, number }) => (
            <span key={number} data-game={lookAt(look)}>
              <Ball number={number} size="fluid" />
            </span>
          ))}
        </span>
      </section>
      <section aria-labelledby="figures">
        <SectionTitle id="figures">{TEXTS.figures}</SectionTitle>
        <dl className={styles['figures']}>
          {figuresOf(games).map(({ figure, text }) => (
            <div key={text}>
              <dt>{text}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="ideas">
        <SectionTitle id="ideas">{TEXTS.ideas}</SectionTitle>
        <div className={styles['ideas']}>
          {TEXTS.ideaList.map(({ title, text, link, linkText }) => (
            <Card key={title} title={title} level={3} className={styles['card']}>
              <p>{text}</p>
              <p className={styles['more']}>
                <Link href={paths[link]()}>{linkText}</Link>
              </p>
            </Card>
          ))}
        </div>
      </section>
      <div className={styles['pair']}>
        <Card title={TEXTS.software} className={styles['card']}>
          <div className={styles['texts']}>
            <Paragraphs texts={TEXTS.softwareTexts} />
          </div>
          <SoftwareLinks />
        </Card>
        <Card title={TEXTS.operator} className={styles['card']}>
          <div className={styles['texts']}>
            <OperatorLines />
          </div>
          <p className={styles['more']}>
            <Link href={paths.helpAndContactUs()}>{TEXTS.contact}</Link>
          </p>
        </Card>
      </div>
    </div>
  )
}

/** The page's figures; those of the games only if there are any. */
function figuresOf(games: readonly Game[]): { figure: string; text: string }[] {
  const ranges = rangesOf(games)
  const ofGames =
    games.length === 0
      ? []
      : [
          { figure: `${games.length}`, text: TEXTS.gameCount(games.length) },
          { figure: `${ranges.prize_pool}%`, text: TEXTS.prizePool },
          { figure: `${ranges.fee}%`, text: TEXTS.fee },
          { figure: `${ranges.donation}%`, text: TEXTS.donation },
        ]
  return [...ofGames, TEXTS.payoutTime]
}

function SoftwareLinks() {
  const { operator } = useContent()
  return (
    <ul className={styles['links']}>
      <li>
        <Link href="/docs">{TEXTS.documentation}</Link>
      </li>
      <li>
        <Link href="/api/docs">{TEXTS.softwareLink}</Link>
      </li>
      {operator?.source != null && (
        <li>
          <Link href={operator.source} rel="noopener noreferrer">
            {TEXTS.sourceCode}
          </Link>
        </li>
      )}
    </ul>
  )
}

function OperatorLines() {
  const { testMode } = useConfig()
  const { operator } = useContent()
  return (
    <>
      {operator === null ? (
        <p>{TEXTS.operatorUnknown}</p>
      ) : (
        <address className={styles['address']}>
          <strong>{operator.name}</strong>
          {operator.address.map((line) => (
            <span key={line}>{line}</span>
          ))}
          <span>{operator.licence}</span>
        </address>
      )}
      {testMode && <p>{TEXTS.testMode}</p>}
    </>
  )
}

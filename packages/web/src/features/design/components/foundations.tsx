import { GAMES } from '@fairball/domain/games'
import { Ball } from '../../../ui/ball.tsx'
import { Figure } from '../../../ui/ticket-card.tsx'
import { Section, Specimen } from './specimen.tsx'
import styles from './foundations.module.css'

const COLOURS = [
  ['ink', 'text, primary buttons'],
  ['ink-2', 'secondary text'],
  ['ink-3', 'hints, disabled text'],
  ['paper', 'page'],
  ['surface', 'panels, inputs'],
  ['sunken', 'footer, soft buttons'],
  ['line', 'separators'],
  ['line-strong', 'borders of controls'],
  ['disc', 'ball face, in both themes'],
  ['danger', 'errors'],
  ['success', 'paid, won'],
  ['warning', 'waiting'],
  ['info', 'notices'],
] as const

const SIZES = ['h1', 'h2', 'h3', 'lead', 'body', 'ui', 'small', 'caption'] as const
const SHAPES = [
  ['small', 'Radius 8'],
  ['control', 'Radius 14'],
  ['panel', 'Radius 22'],
  ['field', 'Radius 32'],
] as const
const DEPTHS = ['e-1', 'e-2', 'e-3'] as const

/** The colours that pages have outside of games. */
export function Colours() {
  return (
    <Section id="colours">
      <Specimen name="Base colours">
        {() => (
          <ul className={styles['swatches']}>
            {COLOURS.map(([token, use]) => (
              <li key={token}>
                <span className={styles['swatch']} data-token={token} />
                <code>--{token}</code>
                <span className={styles['use']}>{use}</span>
              </li>
            ))}
          </ul>
        )}
      </Specimen>
    </Section>
  )
}

/** The six games, each with its field, pattern, text colour and tint. */
export function Worlds() {
  return (
    <Section id="worlds">
      <Specimen name="The six games">
        {() => (
          <ul className={styles['worlds']}>
            {GAMES.map(({ key, name, pick }) => (
              <li key={key} className={styles['world']} data-game={key}>
                <p className={styles['field']}>
                  <strong>{name}</strong>
                  <Ball number={pick} size={48} onField />
                </p>
                <p className={styles['tint']}>
                  Text on its tint
                  <Ball number={pick} size={48} />
                </p>
                <p className={styles['deep']}>Text on the page</p>
              </li>
            ))}
          </ul>
        )}
      </Specimen>
    </Section>
  )
}

/** Letters, figures, radii and depth. */
export function TypeAndSpace() {
  return (
    <Section id="type">
      <Specimen name="Sizes of type" of={['fonts.css', 'tokens.css']}>
        {() => (
          <div className={styles['sizes']}>
            {SIZES.map((size) => (
              <p key={size} data-size={size}>
                {size}: pick six, from one to 49
              </p>
            ))}
            <p data-size="mono">mono: bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080</p>
          </div>
        )}
      </Specimen>
      <Specimen name="Figures" of={['ticket-card.tsx']}>
        {() => (
          <div className={styles['figures']}>
            {['£999.9M', '£1.2M', '£20K'].map((text) => (
              <p key={text}>
                <Figure text={text} />
              </p>
            ))}
          </div>
        )}
      </Specimen>
      <Specimen name="Radii and depth">
        {() => (
          <ul className={styles['shapes']}>
            {SHAPES.map(([radius, name]) => (
              <li key={radius} data-radius={radius}>
                {name}
              </li>
            ))}
            {DEPTHS.map((depth) => (
              <li key={depth} data-depth={depth}>
                --{depth}
              </li>
            ))}
          </ul>
        )}
      </Specimen>
    </Section>
  )
}

import * as basicIcons from '../../../ui/basic-icons.tsx'
import * as moreIcons from '../../../ui/icons.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { Logo, Wordmark } from '../../../ui/wordmark.tsx'
import { Row, Section, Specimen } from './specimen.tsx'
import styles from './signs.module.css'

const { Icon, ...mostUsed } = basicIcons
const ICONS = Object.entries({ ...mostUsed, ...moreIcons }).toSorted(([one], [other]) => one.localeCompare(other))
const SIZES = [16, 18, 20, 24, 32, 48] as const

/** Icons, the sign, and what only assistive technology meets. */
export function Signs() {
  return (
    <Section id="signs">
      <Specimen name="Icons" of={['icons.tsx', 'basic-icons.tsx']}>
        {() => (
          <>
            <ul className={styles['icons']}>
              {ICONS.map(([name, One]) => (
                <li key={name}>
                  <One />
                  <span>{name.replace(/Icon$/u, '')}</span>
                </li>
              ))}
            </ul>
            <Row name="Sizes, of one drawn here">
              {SIZES.map((size) => (
                <Icon key={size} size={size}>
                  <circle cx="12" cy="12" r="8" />
                </Icon>
              ))}
            </Row>
          </>
        )}
      </Specimen>
      <Specimen name="The sign" of={['wordmark.tsx']}>
        {() => (
          <Row>
            <Wordmark />
            <Logo size={64} />
          </Row>
        )}
      </Specimen>
      <Specimen name="Not to be seen" of={['visually-hidden.tsx']}>
        {() => (
          <p>
            Here stands a word<VisuallyHidden> that only assistive technology reads</VisuallyHidden>.
          </p>
        )}
      </Specimen>
    </Section>
  )
}

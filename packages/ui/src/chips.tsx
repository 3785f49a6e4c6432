import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { CheckIcon } from './icons.tsx'
import styles from './chips.module.css'
import unseen from './visually-hidden.module.css'

/** One chip to choose. A disabled one is struck through; give the reason nearby. */
interface ChipOption<Value> {
  value: Value
  /** Its name, and its text if it has no other. */
  label: string
  /** Shown in place of the label. */
  content?: ReactNode
  disabled?: boolean
}

/** The common props of a group of chips. */
interface ChipsProps<Value> {
  legend: string
  options: readonly ChipOption<Value>[]
  /** A sentence under the chips. */
  note?: ReactNode
  hideLegend?: boolean
  /** The layout of the chips, which have no check mark then. */
  layout?: string | undefined
}

/** Several of a few options: chips that are checkboxes. `chosen` keeps the order of the options. */
export function CheckboxChips<Value extends string | number>({
  chosen,
  onChange,
  ...props
}: ChipsProps<Value> & {
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
}) {
  const toggle = (value: Value) => {
    const wanted = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
    onChange(props.options.map((option) => option.value).filter((other) => wanted.includes(other)))
  }
  return <Chips {...props} type="checkbox" isChosen={(value) => chosen.includes(value)} onChoose={toggle} />
}

/** One of a few options: chips that are radio buttons. */
export function RadioChips<Value extends string | number>({
  chosen,
  onChange,
  ...props
}: ChipsProps<Value> & {
  chosen: Value
  onChange: (chosen: Value) => void
}) {
  return <Chips {...props} type="radio" isChosen={(value) => value === chosen} onChoose={onChange} />
}

/** Chips that filter the content below them, in place. */
export function FilterChips<Value extends string | number>({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string
  options: readonly (ChipOption<Value> & { icon?: ReactNode })[]
  chosen: Value
  onChange: (chosen: Value) => void
}) {
  return (
    <div role="group" aria-label={label} className={styles['filters']}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles['filter']}
          aria-pressed={option.value === chosen}
          disabled={option.disabled}
          onClick={() => onChange(option.value)}
        >
          {option.icon}
          {option.label}
        </button>
      ))}
    </div>
  )
}

function Chips<Value extends string | number>({
  legend,
  options,
  note,
  hideLegend = false,
  layout,
  type,
  isChosen,
  onChoose,
}: ChipsProps<Value> & {
  type: 'checkbox' | 'radio'
  isChosen: (value: Value) => boolean
  onChoose: (value: Value) => void
}) {
  const id = useId()
  return (
    <fieldset className={styles['group']} aria-describedby={note === undefined ? undefined : `${id}-note`}>
      <legend className={hideLegend ? unseen['hidden'] : styles['legend']}>{legend}</legend>
      <div className={classNames(styles['chips'], layout)}>
        {options.map((option) => (
          <label key={option.value} className={styles['chip']}>
            <input
              type={type}
              name={type === 'radio' ? id : undefined}
              className={styles['input']}
              aria-label={option.content === undefined ? undefined : option.label}
              checked={isChosen(option.value)}
              disabled={option.disabled}
              onChange={() => onChoose(option.value)}
            />
            {type === 'checkbox' && layout === undefined && isChosen(option.value) && <CheckIcon size={18} />}
            {option.content ?? option.label}
          </label>
        ))}
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={styles['note']}>
          {note}
        </p>
      )}
    </fieldset>
  )
}

import type { Control, FieldValues, Path } from 'react-hook-form'
import { CodeInput, TextInput } from '@fairball/ui/form.tsx'
import { ACCOUNT_TEXTS } from '../messages.ts'
import styles from './code-or-recovery.module.css'

/** Props of {@link CodeOrRecovery}. */
interface CodeOrRecoveryProps<Values extends FieldValues> {
  control: Control<Values>
  codeName: Path<Values>
  recoveryName: Path<Values>
  /** Label of the field for the code. */
  label: string
  usesRecovery: boolean
  onChangeWay: () => void
}

/** The code of an authenticator app, or a recovery code by choice. */
export function CodeOrRecovery<Values extends FieldValues>(props: CodeOrRecoveryProps<Values>) {
  const { control, codeName, recoveryName, label, usesRecovery, onChangeWay } = props
  return (
    <>
      {usesRecovery ? (
        <TextInput
          control={control}
          name={recoveryName}
          label={ACCOUNT_TEXTS.recoveryCode}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          mono
        />
      ) : (
        <CodeInput control={control} name={codeName} label={label} />
      )}
      <button type="button" className={styles['way']} onClick={onChangeWay}>
        {usesRecovery ? ACCOUNT_TEXTS.useCode : ACCOUNT_TEXTS.useRecoveryCode}
      </button>
    </>
  )
}

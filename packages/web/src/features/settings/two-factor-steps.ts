/** A step of setting up two-factor: 1 introduction, 2 password, 3 the app, 4 the QR code, 5 the first code (specification, section 4). */
export type TwoFactorStep = 1 | 2 | 3 | 4 | 5

/** The step that accounts without a password do not have. */
export const PASSWORD_STEP = 2

/** @returns the place of a step among those the account has, from 1; accounts without a password count one less after the first */
export function shownStep(step: TwoFactorStep, isSocial: boolean): number {
  return isSocial && step > PASSWORD_STEP ? step - 1 : step
}

/** @returns the step that follows; accounts without a password go from 1 to 3. The last one leads nowhere */
export function stepAfter(step: TwoFactorStep, isSocial: boolean): TwoFactorStep {
  switch (step) {
    case 1:
      return isSocial ? 3 : 2
    case 2:
      return 3
    case 3:
      return 4
    case 4:
    case 5:
      return 5
  }
}

/** @returns the step that the back arrow leads to; accounts without a password go from 3 to 1 */
export function stepBefore(step: TwoFactorStep, isSocial: boolean): TwoFactorStep {
  switch (step) {
    case 1:
    case 2:
      return 1
    case 3:
      return isSocial ? 1 : 2
    case 4:
      return 3
    case 5:
      return 4
  }
}

/**
 * The key inside an `otpauth://` address, for typing into an app that cannot scan.
 *
 * @returns the key, null if the address has none
 */
export function keyOfUri(uri: string): string | null {
  return /[?&]secret=([A-Z2-7]+)/iu.exec(uri)?.[1] ?? null
}

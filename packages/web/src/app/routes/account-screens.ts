/** The screens of signing in, and of what mails lead to, each loaded when it is first opened. */
export const verifyEmailScreen = () => import('../../features/accounts/verify-email-screen.tsx')
export const stopAddressChangeScreen = () => import('../../features/accounts/stop-address-change-screen.tsx')
export const socialAnswerScreen = () => import('../../features/social/social-answer-screen.tsx')
export const loginScreen = () => import('../../features/accounts/login-screen.tsx')
export const loginSecureScreen = () => import('../../features/accounts/login-secure-screen.tsx')
export const openAccountScreen = () => import('../../features/accounts/open-account-screen.tsx')
export const forgottenPasswordScreen = () => import('../../features/accounts/forgotten-password-screen.tsx')
export const resetPasswordScreen = () => import('../../features/accounts/reset-password-screen.tsx')

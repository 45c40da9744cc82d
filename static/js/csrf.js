// The CSRF token. Read for each request, because logging in changes it.

export const COOKIE = "companion_csrf";

export function csrfToken() {
  const pair = document.cookie.split("; ").find((one) => one.startsWith(`${COOKIE}=`));
  if (pair) return decodeURIComponent(pair.slice(COOKIE.length + 1));
  return document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

#!/bin/sh
# Installs pixgate as one executable file, for the user who runs it:
#
#   PIXGATE_RELEASES=https://example.com/pixgate/1.2.3 sh install.sh
#
# The address is a folder with the files of one release, SHA256SUMS and SHA256SUMS.sig. Nothing that is downloaded runs, and nothing is installed,
# before the signature and the checksum are right. PIXGATE_INSTALL_DIR is the folder to install to; without it, ~/.local/bin.
set -eu

# The public key of releases, as in SECURITY.md: `ssh-ed25519 AAAA…`. It is filled in before the first release.
RELEASE_KEY=''

fail() {
  printf 'error: %s\n' "$1" >&2
  printf 'hint: %s\n' "$2" >&2
  exit 1
}

needs() {
  command -v "$1" >/dev/null 2>&1 || fail "\`$1\` is not installed" "Install $2, then run this again"
}

file_for_this_machine() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') echo pixgate-linux-x64 ;;
    'Darwin arm64') echo pixgate-macos-arm64 ;;
    *) fail "There is no file for $(uname -s) on $(uname -m)" 'Build pixgate from its source, with Node.js' ;;
  esac
}

# download <name> <file> <largest size in bytes>
download() {
  curl --fail --silent --show-error --location --proto '=https,http' --proto-redir '=https' --max-filesize "$3" --output "$2" "$releases/$1" ||
    fail "$releases/$1 could not be downloaded; nothing was installed" 'Check the address, the network and the free space on the disk'
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1" | cut -d ' ' -f 1
  else shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

# The body is a function, so that a script that was cut off does nothing.
main() {
  releases=${PIXGATE_RELEASES:-}
  [ -n "$releases" ] || fail 'PIXGATE_RELEASES is not set' 'Set it to the address of a release; there is no default'
  case $releases in
    https://* | http://127.0.0.1[:/]* | http://localhost[:/]*) ;;
    *) fail "\`$releases\` is not an https:// address" 'Set PIXGATE_RELEASES to one' ;;
  esac
  [ -n "$RELEASE_KEY" ] || fail 'This installer contains no release key, so it can verify nothing' 'Build pixgate from its source, with Node.js'
  needs curl curl
  needs ssh-keygen OpenSSH
  file=$(file_for_this_machine)
  folder=${PIXGATE_INSTALL_DIR:-$HOME/.local/bin}
  mkdir -p "$folder"
  # In the folder itself, so that the last step replaces the file at once or not at all.
  work=$(mktemp -d "$folder/.pixgate-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM HUP

  download SHA256SUMS "$work/SHA256SUMS" 100000
  download SHA256SUMS.sig "$work/SHA256SUMS.sig" 100000
  printf 'releases namespaces="pixgate-release" %s\n' "$RELEASE_KEY" >"$work/signers"
  ssh-keygen -Y verify -f "$work/signers" -I releases -n pixgate-release -s "$work/SHA256SUMS.sig" <"$work/SHA256SUMS" >/dev/null 2>&1 ||
    fail "The signature of $releases/SHA256SUMS is wrong; nothing was installed" 'Check the address; if it is right, report it as SECURITY.md says'
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $file\$/\1/p" "$work/SHA256SUMS")
  [ "${#expected}" -eq 64 ] || fail "SHA256SUMS does not have exactly one line for $file; nothing was installed" 'Check the address of the release'

  download "$file" "$work/pixgate" 300000000
  [ "$(sha256 "$work/pixgate")" = "$expected" ] ||
    fail "$file does not have the signed checksum; nothing was installed" 'Run this again; if it repeats, report it as SECURITY.md says'
  chmod 755 "$work/pixgate"
  mv -f "$work/pixgate" "$folder/pixgate"
  printf 'Installed %s: pixgate %s\n' "$folder/pixgate" "$("$folder/pixgate" --version)"
  case ":$PATH:" in
    *":$folder:"*) ;;
    *) printf 'note: %s is not on your PATH\n' "$folder" ;;
  esac
}

main "$@"

package dev.superstep.terminal.risk;

import java.util.regex.Pattern;

/// Names of files that hold secrets, and of files that something runs later.
final class SensitivePaths {
  private static final Pattern SECRET =
      Pattern.compile(
          "/etc/(shadow|gshadow|sudoers|master\\.passwd)([-.~].*|\\.d/.*)?|/etc/ssl/private(/.*)?"
              + "|.*/\\.(ssh|gnupg|aws|azure|password-store|mozilla|thunderbird)(/.*)?"
              + "|.*/\\.(netrc|git-credentials|npmrc|pypirc|pgpass|my\\.cnf|vault-token|boto|s3cfg)"
              + "|.*/\\.(kube/config|docker/config\\.json|config/(gcloud|gh|google-chrome|chromium)"
              + "(/.*)?)"
              + "|(.*/)?id_(rsa|dsa|ecdsa|ed25519)|.*\\.kdbx|(.*/)?wallet\\.dat"
              + "|/proc/[^/]+/(environ|mem)|/proc/kcore|/dev/k?mem|.*/Login Data|.*/key[34]\\.db"
              + "|/root/\\.[^/]*_history|/etc/krb5\\.keytab|/etc/ipsec\\.secrets");
  private static final Pattern PUBLIC =
      Pattern.compile(
          ".*\\.pub|.*/\\.ssh/(known_hosts|config|authorized_keys)|.*/\\.ssh/\\*\\.pub");
  private static final Pattern PRIVATE =
      Pattern.compile(
          "/etc/(passwd|group|hosts\\.allow|fstab|crontab)-?|(.*/)?\\.env(\\.[^/]*)?|.*\\.(pem|p12|pfx|jks|keystore|key)"
              + "|(.*/)?(secrets?|credentials?|passwords?|tokens?|private[-_]?keys?)(\\.[^/]*)?"
              + "|.*/\\.[a-z]*_history|/var/log/(auth|secure|syslog|messages|btmp|wtmp)[^/]*"
              + "|.*/(wp-config\\.php|database\\.yml|shadow)");
  private static final Pattern LATER =
      Pattern.compile(
          ".*/\\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile"
              + "|zshenv|zlogin|login|cshrc|tcshrc|kshrc|inputrc|xinitrc|xsession|xprofile|vimrc"
              + "|gitconfig|pam_environment|envrc|mcp\\.json|screenrc|tmux\\.conf|xsessionrc)"
              + "|.*/\\.(vim|vscode|husky|superstep|config/(fish|autostart|systemd|git|nvim))(/.*)?"
              + "|.*/\\.ssh/(authorized_keys2?|config|rc|environment)"
              + "|(.*/)?\\.git/(hooks(/.*)?|config)|/etc/cron.*|/etc/anacrontab|/var/spool/cron(/.*)?"
              + "|/var/spool/at(/.*)?|/etc/(rc[^/]*|init\\.d|inittab|profile[^/]*|bash\\.bashrc"
              + "|bash_completion\\.d|environment|ld\\.so\\.[^/]*|sudoers[^/]*|pam\\.d|udev|xdg|apt"
              + "|update-motd\\.d|NetworkManager|modules[^/]*|zsh)(/.*)?"
              + "|.*/systemd/(system|user)(/.*)?|.*/(LaunchAgents|LaunchDaemons)(/.*)?"
              + "|(/usr/local|/usr|/opt)?/s?bin/.*|.*/\\.local/bin/.*|/(root|home/[^/]+)/bin/.*"
              + "|/lib(64)?/security/.*|.*/sitecustomize\\.py|.*\\.pth");

  // No file has a longer path.
  private static final int PATH_MAX = 4096;

  private SensitivePaths() {}

  static boolean isSecret(String path) {
    return path.length() <= PATH_MAX
        && SECRET.matcher(path).matches()
        && !PUBLIC.matcher(path).matches();
  }

  /// Returns whether a file may hold something that is not for others.
  static boolean isPrivate(String path) {
    return path.length() <= PATH_MAX
        && PRIVATE.matcher(path).matches()
        && !path.endsWith(".env.example");
  }

  /// Returns whether something runs or obeys the file later, without being asked.
  static boolean isRunLater(String path) {
    return path.length() <= PATH_MAX && LATER.matcher(path).matches();
  }
}

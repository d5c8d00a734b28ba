package dev.superstep.terminal.risk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Characters that make a command look like another one.
@Tag("C17")
@Tag("TH13")
class UnicodeRiskTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls \u202e a",
        "ls \u2066a",
        "ls \u200ea",
        "ls a\u200bb",
        "ls a\u200cb",
        "ls a\ufeffb",
        "ls a\u2060b",
        "ls\u00a0-l",
        "ls\u3000-l",
        "ls\u2003-l",
        "ls \uff4cs",
        "\uff52\uff4d x",
        "\u0441at x",
        "l\u0455 x",
        "curl https://\u0430pple.com",
        "curl https://b\u00fccher.example",
        "curl https://xn--80ak6aa92e.com",
        "ls \u2013l",
        "rm \u2212rf x",
        "cat a\u2215b",
        "ls a\u037e b",
        "ls a\udb40\udc41",
        "ls a\u0000b",
        "ls a\u001b[2J",
        "ls a\r",
        "ls \ud800",
        "ls a\u00adb",
        "ls a\u061cb",
        "ls \ud835\udc1da",
        "cat \u2044etc",
        "p\u0430ste x",
        "l\u2028s",
        "ls a\u180eb",
        "ls a\u115fb",
        "ls \u3164",
        "git \u0440ush",
        "echo a\u2063b",
        "echo a\u202cb",
        "ls a\uff0fb",
        "echo \u2024\u2024/x",
        "s\u057ah x",
        "echo a\u0085b",
        "ls \u034f",
        "ls a\u2067b",
        "ls a\u206ab",
        "ls\u2009-l",
        "ls\u202f-l",
        "ls\u205f-l",
        "c\u0430t /etc/hosts",
        "curl https://g\u043e\u043egle.com",
        "wget https://ex\u0430mple.com/x",
        "ls a\u200db",
        "ls \udb40\udc65\udb40\udc76"
      })
  void what_hides_or_imitates_is_high_and_named(String command) {
    var risk = CommandLists.assess(command);
    assertThat(risk.level()).isEqualTo(RiskLevel.HIGH);
    assertThat(risk.findings())
        .anyMatch(f -> f.level() == RiskLevel.HIGH && (f.reason().contains("U+") || isName(f)));
  }

  private static boolean isName(Finding finding) {
    return finding.code().startsWith("foreign-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo 日本語",
        "touch 文件.txt",
        "echo 🎉",
        "echo 👩‍👩‍👧‍👦",
        "echo ❤️",
        "echo 👍🏽",
        "grep привет файл.txt",
        "echo 'Größe: 5 µm'",
        "git commit -m '修复错误,完成!'",
        "echo 안녕",
        "echo Ελλάδα",
        "echo مرحبا",
        "echo שלום",
        "echo 'naïve café'",
        "echo “quoted”",
        "echo don’t",
        "echo 'a — b'",
        "echo 5€",
        "echo می‌خواهم",
        "ls Документы/*.txt",
        "echo ①②③",
        "echo ½"
      })
  void letters_of_any_language_are_fine_as_arguments(String command) {
    assertThat(CommandLists.assess(command).level()).isNotEqualTo(RiskLevel.HIGH);
  }
}

package dev.superstep.cli.rlm.bench;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// The exact answer of a task, which says how good another answer is.
sealed interface Truth {
  /// From 0 to 1.
  double score(String answer);

  /// A number; each one that it is off takes a quarter of the score.
  record Count(long number) implements Truth {
    private static final double NEAR = 0.75;
    private static final Pattern NUMBER = Pattern.compile("-?\\d+");

    @Override
    public double score(String answer) {
      var found = NUMBER.matcher(answer.replace(",", ""));
      if (!found.find() || found.group().length() > 15) return 0;
      return Math.pow(NEAR, (double) Math.abs(Long.parseLong(found.group()) - number));
    }
  }

  /// A word of several; an answer that names two of them is wrong.
  record Choice(String word, Set<String> all) implements Truth {
    public Choice {
      all = Set.copyOf(all);
    }

    @Override
    public double score(String answer) {
      var said = answer.toLowerCase(Locale.ROOT);
      return all.stream().filter(said::contains).toList().equals(java.util.List.of(word)) ? 1 : 0;
    }
  }

  /// A name or code that has to be in a short answer.
  record Name(String name) implements Truth {
    private static final int LENGTH_MAX = 300;

    @Override
    public double score(String answer) {
      return answer.length() <= LENGTH_MAX && answer.contains(name) ? 1 : 0;
    }
  }

  /// Pairs such as `0001-0002`: F1 over them.
  record Pairs(Set<String> pairs) implements Truth {
    private static final Pattern PAIR = Pattern.compile("(\\d{4})\\s*[-,]\\s*(\\d{4})");

    public Pairs {
      pairs = Set.copyOf(pairs);
    }

    @Override
    public double score(String answer) {
      var found = new HashSet<String>();
      var match = PAIR.matcher(answer);
      while (match.find()) {
        boolean isSorted = match.group(1).compareTo(match.group(2)) < 0;
        found.add(
            isSorted
                ? match.group(1) + "-" + match.group(2)
                : match.group(2) + "-" + match.group(1));
      }
      if (found.isEmpty() || pairs.isEmpty()) return found.isEmpty() && pairs.isEmpty() ? 1 : 0;
      long right = found.stream().filter(pairs::contains).count();
      return 2.0 * right / (found.size() + pairs.size());
    }
  }
}

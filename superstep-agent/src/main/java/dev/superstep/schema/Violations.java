package dev.superstep.schema;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Turns the validator's findings into few sentences. Where a value may take one of several shapes,
/// the validator tells what is wrong under each; we tell only about the shape that was meant.
final class Violations {
  /// As many as a model can repair at once; more would only fill its context.
  static final int MAX = 12;

  private static final Set<String> STEPS = Set.of("items", "additionalProperties");
  private static final Set<String> NAMED_STEPS =
      Set.of("properties", "prefixItems", "patternProperties");

  private Violations() {}

  static List<Violation> of(List<Error> errors) {
    var violations = new LinkedHashSet<Violation>();
    for (var error : relevant(errors, 0)) {
      violations.add(error);
      if (violations.size() == MAX) break;
    }
    return List.copyOf(violations);
  }

  /// Where errors branch: a choice in the schema, met at one place of the value.
  private record Fork(String choice, int at, String place) {}

  private static List<Violation> relevant(List<Error> errors, int from) {
    var plain = new ArrayList<Violation>();
    Map<Fork, Map<Integer, List<Error>>> forks = new LinkedHashMap<>();
    for (var error : errors) {
      int at = choice(error.getEvaluationPath(), from);
      if (at < 0) {
        plain.add(ViolationText.of(error));
        continue;
      }
      var fork = new Fork(head(error.getEvaluationPath(), at), at, place(error, at).toString());
      var branch = ((Number) error.getEvaluationPath().getElement(at + 1)).intValue();
      forks
          .computeIfAbsent(fork, _ -> new TreeMap<>())
          .computeIfAbsent(branch, _ -> new ArrayList<>())
          .add(error);
    }
    forks.forEach((fork, branches) -> plain.addAll(closestBranch(fork, branches)));
    return plain;
  }

  private static List<Violation> closestBranch(Fork fork, Map<Integer, List<Error>> branches) {
    List<Error> best = null;
    for (var errors : branches.values()) {
      if (errors.stream().anyMatch(error -> isOther(error, fork.place()))) continue;
      if (best == null || errors.size() < best.size()) best = errors;
    }
    if (best == null) return List.of(ViolationText.noShape(fork.place(), all(branches)));
    return relevant(best, fork.at() + 2);
  }

  /// Returns true if the error says that another shape was meant: a wrong kind of value, or another
  /// `type`.
  private static boolean isOther(Error error, String place) {
    var where = error.getInstanceLocation();
    if (error.getKeyword().equals("type")) return where.toString().equals(place);
    if (!error.getKeyword().equals("const")) return false;
    var parent = where.getParent();
    return parent != null && parent.toString().equals(place);
  }

  private static List<Error> all(Map<Integer, List<Error>> branches) {
    return branches.values().stream().flatMap(List::stream).toList();
  }

  /// The index of the next `anyOf` or `oneOf` with a branch, or -1.
  private static int choice(@Nullable NodePath path, int from) {
    if (path == null) return -1;
    for (int i = from; i + 1 < path.getNameCount(); i++) {
      var name = path.getElement(i);
      if (!(path.getElement(i + 1) instanceof Integer)) continue;
      if (name.equals("anyOf") || name.equals("oneOf")) return i;
    }
    return -1;
  }

  private static String head(NodePath path, int length) {
    var head = new StringBuilder();
    for (int i = 0; i < length; i++) head.append('/').append(path.getElement(i));
    return head.toString();
  }

  /// The place in the value that the choice at `at` judges: the error's own, less the steps that
  /// lead there from the choice.
  private static NodePath place(Error error, int at) {
    var path = error.getEvaluationPath();
    var place = error.getInstanceLocation();
    for (int i = at + 2; i + 1 < path.getNameCount(); i++) {
      var step = String.valueOf(path.getElement(i));
      if (!STEPS.contains(step) && !NAMED_STEPS.contains(step)) continue;
      place = place.getParent();
      if (NAMED_STEPS.contains(step)) i++; // the name or index belongs to the step
    }
    return place;
  }
}

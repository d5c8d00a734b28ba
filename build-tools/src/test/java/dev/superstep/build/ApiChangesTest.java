package dev.superstep.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.build.Api.Member;
import dev.superstep.build.ApiChanges.Change;
import dev.superstep.build.ApiChanges.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What became of types and members between two versions of an API.
final class ApiChangesTest {
  private static Api api(Api.Type... types) {
    return new Api(
        Arrays.stream(types).collect(Collectors.toMap(Api.Type::name, Function.identity())));
  }

  private static Api.Type visible(String name, Member... members) {
    return new Api.Type(name, true, List.of(), List.of(members));
  }

  private static Api.Type hidden(String name) {
    return new Api.Type(name, false, List.of(), List.of());
  }

  private static Member method(String name, String result, String... parameters) {
    return new Member(name, List.of(parameters), result, false);
  }

  private static ApiChanges changes(Api before, Api after) {
    return new ApiChanges(before, after, Map.of());
  }

  @Test
  void a_type_in_another_package_has_moved_with_the_types_inside() {
    var before = api(visible("a.Run"), visible("a.Run$Kind"));
    var after = api(visible("b.Run"), visible("b.Run$Kind"));
    assertThat(changes(before, after).types())
        .containsExactly(new Change(Kind.MOVED, "a.Run", "a.Run", "b.Run"));
  }

  @Test
  void a_type_that_no_user_sees_any_more_is_hidden() {
    var changes = changes(api(visible("a.Run")), api(hidden("a.Run")));
    assertThat(changes.types()).containsExactly(new Change(Kind.HIDDEN, "a.Run", "a.Run", "a.Run"));
  }

  @Test
  void a_type_that_is_gone_was_removed_and_one_that_came_was_added() {
    assertThat(changes(api(visible("a.Run")), api(visible("a.Walk"))).types())
        .containsExactly(
            new Change(Kind.REMOVED, "a.Run", "a.Run", ""),
            new Change(Kind.ADDED, "a.Walk", "", "a.Walk"));
  }

  @Test
  void a_new_name_that_was_noted_holds_in_signatures_too() {
    var before = api(visible("a.Run"), visible("a.Runs", method("newest", "a.Run")));
    var after = api(visible("a.Walk"), visible("a.Runs", method("newest", "a.Walk")));
    var changes = new ApiChanges(before, after, Map.of("a.Run", "a.Walk"));
    assertThat(changes.types())
        .containsExactly(new Change(Kind.RENAMED, "a.Run", "a.Run", "a.Walk"));
    assertThat(changes.members()).isEmpty();
  }

  @Test
  void a_method_with_the_same_types_and_another_name_was_renamed() {
    var before = api(visible("a.Run", method("tell", "void", "a.Event")));
    var after = api(visible("a.Run", method("publish", "void", "a.Event")));
    assertThat(changes(before, after).members())
        .containsExactly(
            new Change(Kind.RENAMED, "a.Run", "tell(a.Event): void", "publish(a.Event): void"));
  }

  @Test
  void of_several_methods_with_the_same_types_the_note_says_which_is_which() {
    var before = api(visible("a.Run", method("isOn", "boolean"), method("isOff", "boolean")));
    var after = api(visible("a.Run", method("isBusy", "boolean"), method("isIdle", "boolean")));
    var notes = Map.of("a.Run#isOn", "isBusy", "a.Run#isOff", "isIdle");
    assertThat(new ApiChanges(before, after, notes).members())
        .containsExactly(
            new Change(Kind.RENAMED, "a.Run", "isOff(): boolean", "isIdle(): boolean"),
            new Change(Kind.RENAMED, "a.Run", "isOn(): boolean", "isBusy(): boolean"));
    assertThat(changes(before, after).members())
        .extracting(Change::kind)
        .containsExactly(Kind.REMOVED, Kind.REMOVED, Kind.ADDED, Kind.ADDED);
  }

  @Test
  void a_method_that_is_inherited_now_was_not_removed() {
    var method = method("close", "void");
    var before = api(visible("a.Run", method));
    var after =
        api(
            new Api.Type("a.Run", true, List.of("a.Open"), List.of()),
            new Api.Type("a.Open", false, List.of(), List.of(method)));
    assertThat(changes(before, after).members()).isEmpty();
  }
}

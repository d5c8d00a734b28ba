package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.rows.CheckpointRows;
import dev.superstep.store.jdbc.rows.Formats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Checkpoints that older versions wrote. There is one format so far, so the older ones here are
/// made up: before it, names of tasks had no list but a text, and nothing was attached to a run.
@Tag("T90")
final class FormatsTest {
  private static final Codec<Oldest> OLDEST = Codec.of(Oldest.class);
  private static final Codec<Older> OLDER = Codec.of(Older.class);

  private record Oldest(String ran) {}

  private record Older(List<String> ran) {}

  private static final Formats THREE = new Formats(List.of(FormatsTest::split, FormatsTest::full));

  private static Json split(Json oldest) {
    return OLDER.encode(new Older(List.of(OLDEST.decode(oldest).ran().split(" "))));
  }

  private static Json full(Json older) {
    var ran = OLDER.decode(older).ran();
    var body = new CheckpointRows.Body(List.of(), ran, Optional.empty(), Map.of());
    return CheckpointRows.BODY.encode(body);
  }

  @Test
  void the_oldest_format_is_upgraded_step_by_step() {
    var upgraded = THREE.upgraded(1, Json.parse("{\"ran\":\"a b\"}"));
    assertThat(CheckpointRows.BODY.decode(upgraded).ran()).containsExactly("a", "b");
  }

  @Test
  void each_format_takes_the_steps_that_it_lacks_and_the_newest_none() {
    var upgraded = THREE.upgraded(2, Json.parse("{\"ran\":[\"a b\"]}"));
    assertThat(CheckpointRows.BODY.decode(upgraded).ran()).containsExactly("a b");
    assertThat(THREE.upgraded(3, upgraded)).isEqualTo(upgraded);
  }

  @Test
  void a_body_that_is_not_of_its_format_is_refused() {
    assertThatThrownBy(() -> THREE.upgraded(1, Json.parse("{\"ran\":[\"a b\"]}")))
        .isInstanceOf(MalformedJson.class);
  }

  @Test
  void a_format_that_is_not_known_is_refused_before_anything_of_it_is_read() {
    assertThatThrownBy(() -> THREE.upgraded(4, Json.unchecked("?")))
        .hasMessage("it has format 4 and this program knows 3; use a newer Superstep");
    assertThatThrownBy(() -> THREE.upgraded(0, Json.unchecked("?")))
        .hasMessageContaining("which no Superstep wrote");
  }

  @Test
  void the_newest_format_is_the_one_that_is_written() {
    assertThat(Formats.KNOWN.newest()).isEqualTo(Checkpoint.FORMAT);
  }

  @Test
  void what_the_first_release_wrote_is_read_for_ever() {
    var body =
        Json.parse(
            """
            {"next":[{"node":"a","activation":{"type":"Edge","from":"b"},"argument":[1],\
            "task":null}],"ran":["b"],"marks":{"held":[{"node":"h",\
            "activation":{"type":"Entry"},"argument":null,"task":"c0/1"}],\
            "arrived":{"j":["b"]},"seen":{"j":{"x":2}},"chosen":{"r":["c"]}},\
            "metadata":{"k":"v"}}\
            """);
    var read = CheckpointRows.BODY.decode(Formats.KNOWN.upgraded(1, body));
    assertThat(read.ran()).containsExactly("b");
    assertThat(read.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(read.progress(dev.superstep.checkpoint.Memories.NONE).arrived())
        .containsOnlyKeys("j");
    assertThat(read.next()).hasSize(1);
    assertThat(CheckpointRows.BODY.encode(read)).isEqualTo(body);
  }
}

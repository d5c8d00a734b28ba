package dev.superstep.server.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.server.internal.wire.stream.RunFrame;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// Entries of the log of a run, as they are written and as a database may give them back.
final class StoredFrameTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  @Test
  void an_event_is_read_as_it_was_written_whatever_its_name_and_data() {
    var names = List.of("values", "values|child:1", "", "a\"b", "c\\", "\",\"data\":", "\u00e9\n");
    var values =
        List.of("{}", "null", "\"}\"", "{\"data\":{\"event\":\"x\"}}", "[1.50,1E+2]", "\"\\n\"");
    for (var name : names) {
      for (var value : values) {
        var data = JSON.readTree(value);

        var stored = StoredFrame.of(LogBatch.entry(new RunFrame(name, data)));

        assertThat(stored.event()).isEqualTo(name);
        assertThat(JSON.readTree(stored.data())).isEqualTo(data);
        assertThat(stored.data()).doesNotContain("\n");
      }
    }
  }

  @Test
  void another_form_of_the_same_json_is_read_too() {
    for (var text :
        List.of(
            "{\"data\": {\"a\": 1}, \"event\": \"values\"}",
            "{ \"event\":\"values\",\"data\":{\"a\":1}}",
            "{\"event\":\"values\",\n\"data\":{\n\"a\":1}}",
            "{\"event\":\"values\", \"data\":{\"a\":1}}")) {
      var stored = StoredFrame.of(Json.unchecked(text));

      assertThat(stored.event()).isEqualTo("values");
      assertThat(stored.data()).isEqualTo("{\"a\":1}");
    }
  }

  @Test
  void an_entry_of_another_shape_has_no_name() {
    for (var text : List.of("{}", "[]", "\"event\"", "{\"event\":{},\"data\":1}")) {
      assertThat(StoredFrame.of(Json.unchecked(text)).event()).as(text).isEmpty();
    }
  }
}

package dev.superstep.retrieval.pgvector;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.test.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("T131")
final class MissingExtensionTest {
  @Test
  void a_server_without_pgvector_is_an_error_that_says_how_to_install_it() {
    var database = PostgresServer.shared().freshDatabase();
    assertThatThrownBy(() -> PostgresVectors.on(database.dataSource(), "faq"))
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("`faq` in PostgreSQL")
        .hasMessageContaining("no extension `vector`")
        .hasMessageContaining("Install pgvector 0.8 or newer");
  }

  @Test
  void a_server_that_does_not_answer_is_an_error_of_the_index() {
    var nowhere = new PGSimpleDataSource();
    nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");
    assertThatThrownBy(() -> PostgresVectors.on(nowhere, "faq"))
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("try again when the database answers");
  }
}

/// Programs that came from Spring AI; the originals are in `examples/migration/spring-ai`.
@NullMarked
package dev.superstep.example.migration.springai;

import org.jspecify.annotations.NullMarked;

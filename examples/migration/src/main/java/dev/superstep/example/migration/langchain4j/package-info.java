/// Programs that came from LangChain4j.
@NullMarked
package dev.superstep.example.migration.langchain4j;

import org.jspecify.annotations.NullMarked;

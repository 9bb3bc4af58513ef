package io.stockstats.nativeimage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NeedTest {

    @Test
    void missesWhatIsNotRegistered() throws JsonProcessingException {
        // Given
        Registrations registrations = new Registrations()
                .add("reflect", json("""
                        [{"name":"a.View","allDeclaredConstructors":true,"allDeclaredMethods":true},
                         {"name":"a.Handler","methods":[{"name":"<init>","parameterTypes":[]}]},
                         {"name":"a.Own","condition":{"typeReachable":"a.Own"},"allDeclaredConstructors":true},
                         {"name":"a.Other","condition":{"typeReachable":"b.Absent"},"allDeclaredConstructors":true}]"""))
                .add("jni", json("""
                        [{"name":"[B"},{"name":"a.Stream","fields":[{"name":"srcPos"}]}]"""))
                .add("resource", json("""
                        {"resources":{"includes":[{"pattern":"\\\\Qlinux/a.so\\\\E"}]}}"""));

        // When
        List<Need> missing = Need.missing(
                Stream.of(
                                Need.json("a.View"),
                                Stream.of(
                                        Need.instance("a.Handler"),
                                        Need.instance("a.Own"),
                                        Need.instance("a.Other"),
                                        Need.instance("a.Nobody"),
                                        Need.jni("[B", ""),
                                        Need.jni("a.Stream", "srcPos"),
                                        Need.jni("a.Stream", "dstPos"),
                                        Need.jni("a.Handler", "constructors"),
                                        Need.resource("linux/a.so"),
                                        Need.resource("linux/b.so")))
                        .flatMap(each -> each)
                        .toList(),
                registrations);

        // Then
        assertEquals(
                List.of(
                        "JNI a.Handler constructors",
                        "JNI a.Stream dstPos",
                        "REFLECTION a.Nobody constructors",
                        "REFLECTION a.Other constructors",
                        "REFLECTION a.View fields",
                        "RESOURCE linux/b.so"),
                missing.stream().map(Need::toString).toList());
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }
}

package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A certificate authority and what it signed, made by the JDK's keytool, in the files that Strimzi's operators write. */
final class Certificates {

    static final String PASSWORD = "changeit";

    private final Path folder;

    private Certificates(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes an authority, and certificates of a broker and a user.
     *
     * @param brokerName what the broker's certificate is for, as keytool has it: {@code ip:127.0.0.1}
     * @param user the user's common name
     */
    static Certificates in(Path folder, String brokerName, String user)
            throws IOException, InterruptedException, GeneralSecurityException {
        Certificates made = new Certificates(folder);
        made.keytool("-genkeypair", "-alias", "ca", "-dname", "CN=ca", "-ext", "bc:c");
        made.signed("broker", "CN=broker", "san=" + brokerName);
        made.signed("user", "CN=" + user, "eku=clientAuth");
        made.write();
        return made;
    }

    /** The broker's settings for its TLS listener. */
    Map<String, String> brokerProperties() {
        return Map.of(
                "ssl.keystore.type", "PEM",
                "ssl.keystore.location", folder.resolve("broker.pem").toString(),
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", caCertificate().toString(),
                "ssl.client.auth", "required");
    }

    Path caCertificate() {
        return folder.resolve("ca.crt");
    }

    private void signed(String alias, String name, String extension) throws IOException, InterruptedException {
        Path request = folder.resolve(alias + ".csr");
        Path certificate = folder.resolve(alias + ".signed");
        keytool("-genkeypair", "-alias", alias, "-dname", name);
        keytool("-certreq", "-alias", alias, "-file", request.toString());
        keytool(
                "-gencert",
                "-alias",
                "ca",
                "-ext",
                extension,
                "-infile",
                request.toString(),
                "-outfile",
                certificate.toString());
        keytool("-importcert", "-noprompt", "-alias", alias, "-file", certificate.toString());
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store().toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        if (arguments[0].equals("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
        }
        Path log = folder.resolve("keytool.log");
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertEquals(0, keytool.waitFor(), () -> {
            try {
                return command + ": " + Files.readString(log);
            } catch (IOException e) {
                return command.toString();
            }
        });
    }

    private Path store() {
        return folder.resolve("store.p12");
    }

    private void write() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            store.load(in, PASSWORD.toCharArray());
        }
        Files.writeString(caCertificate(), pem(store.getCertificate("ca")));
        KeyStore user = KeyStore.getInstance("PKCS12");
        user.load(null, null);
        char[] password = PASSWORD.toCharArray();
        user.setKeyEntry("user", store.getKey("user", password), password, store.getCertificateChain("user"));
        try (OutputStream out = Files.newOutputStream(folder.resolve("user.p12"))) {
            user.store(out, password);
        }
        Files.writeString(folder.resolve("broker.pem"), key(store, "broker") + chain(store, "broker"));
    }

    private static String key(KeyStore store, String alias) throws GeneralSecurityException {
        return pem("PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    }

    private static String chain(KeyStore store, String alias) throws GeneralSecurityException {
        StringBuilder chain = new StringBuilder();
        for (Certificate certificate : store.getCertificateChain(alias)) {
            chain.append(pem(certificate));
        }
        return chain.toString();
    }

    private static String pem(Certificate certificate) throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + what + "-----\n";
    }
}

// Go's http client: arguments are the file of requests, the version, the base and the CA's file.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	pool := x509.NewCertPool()
	pem, _ := os.ReadFile(os.Args[4])
	pool.AppendCertsFromPEM(pem)
	client := &http.Client{
		Timeout: 60 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: pool},
			ForceAttemptHTTP2: os.Args[2] == "2",
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				_, port, _ := net.SplitHostPort(address)
				return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+port)
			},
		},
	}
	file, _ := os.Open(os.Args[1])
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fmt.Println(send(client, strings.Split(lines.Text(), "\t")))
	}
}

func send(client *http.Client, parts []string) string {
	var body io.Reader
	if parts[2] != "-" {
		size, _ := strconv.Atoi(parts[2])
		body = bytes.NewReader(make([]byte, size))
	}
	request, err := http.NewRequest(parts[0], os.Args[3]+parts[1], body)
	if err != nil {
		return "failed: " + err.Error()
	}
	for _, field := range parts[3:] {
		name, value, _ := strings.Cut(field, ": ")
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return "failed: " + err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "failed: " + err.Error()
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%d %d %x", response.StatusCode, len(text), sum[:4])
}

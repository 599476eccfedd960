package main

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// region verify-assertion
type Assertion struct {
	Issuer    string `json:"iss"`
	Audience  string `json:"aud"`
	Hostname  string `json:"host"`
	Customer  string `json:"cus"`
	IssuedAt  int64  `json:"iat"`
	ExpiresAt int64  `json:"exp"`
}

const clockToleranceSeconds = 30

var errAssertion = errors.New("the edge did not sign this assertion for us")

// Returns the claims of a token that a key of the service signed for this application within the last 90 seconds.
func verifyAssertion(token string) (*Assertion, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > 4096 {
		return nil, errAssertion
	}
	var head struct{ Alg, Typ, Kid string }
	var claims Assertion
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !decodePart(parts[0], &head) || !decodePart(parts[1], &claims) {
		return nil, errAssertion
	}
	if head.Alg != "EdDSA" || head.Typ != "svc-assertion+jwt" {
		return nil, errAssertion
	}
	key, err := keys.find(head.Kid)
	if err != nil || !ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, errAssertion
	}
	now := time.Now().Unix()
	isFresh := now < claims.ExpiresAt+clockToleranceSeconds && now > claims.IssuedAt-clockToleranceSeconds
	if claims.Issuer != baseURL || claims.Audience != applicationID || !isFresh {
		return nil, errAssertion
	}
	return &claims, nil
}

func decodePart(part string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(text, into) == nil
}

// The service's public keys. They are fetched again for an unknown id, at most every ten seconds.
type keySet struct {
	sync.Mutex
	known   map[string]ed25519.PublicKey
	triedAt time.Time
}

var keys keySet

func (s *keySet) find(id string) (ed25519.PublicKey, error) {
	s.Lock()
	defer s.Unlock()
	age := time.Since(s.triedAt)
	if (s.known[id] == nil && age > 10*time.Second) || age > 5*time.Minute {
		s.triedAt = time.Now()
		if fetched, err := fetchKeys(); err == nil {
			s.known = fetched
		}
	}
	if key := s.known[id]; key != nil {
		return key, nil
	}
	return nil, errors.New("there is no such key")
}

func fetchKeys() (map[string]ed25519.PublicKey, error) {
	answer, err := client.Get(baseURL + "/.well-known/jwks.json")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var set struct {
		Keys []struct{ Kid, Kty, Crv, X string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&set); err != nil {
		return nil, err
	}
	found := map[string]ed25519.PublicKey{}
	for _, key := range set.Keys {
		x, err := base64.RawURLEncoding.DecodeString(key.X)
		if err == nil && key.Kty == "OKP" && key.Crv == "Ed25519" && len(x) == ed25519.PublicKeySize {
			found[key.Kid] = x
		}
	}
	return found, nil
}

// end region

// region verify-webhook
type Event struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Sequence int    `json:"sequence"`
	Data     struct {
		Connection *struct {
			ID          string `json:"id"`
			Hostname    string `json:"hostname"`
			State       string `json:"state"`
			CustomerRef string `json:"customer_ref"`
		} `json:"connection"`
	} `json:"data"`
}

func verifyWebhook(body []byte, headers http.Header, secret string) (*Event, error) {
	timestamp := headers.Get("X-Svc-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 300*time.Second {
		return nil, errors.New("the delivery is too old, or has no timestamp")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	isSigned := func(name string) bool { return hmac.Equal([]byte(expected), []byte(headers.Get(name))) }
	// For 24 hours after a rotation the old secret signs too.
	if !isSigned("X-Svc-Signature") && !isSigned("X-Svc-Signature-Previous") {
		return nil, errors.New("the signature does not match")
	}
	event := new(Event)
	return event, json.Unmarshal(body, event)
}

// end region

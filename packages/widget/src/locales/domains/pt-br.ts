import type { DomainMessages } from "./en.ts";

export const domainsPtBr: DomainMessages = {
  domains_title: "Seus domínios",
  domains_lede: "Os domínios que levam a {brand} e os que estão a caminho.",
  domains_add: "Adicionar outro domínio",
  domains_show: "Seus domínios",
  domains_live: "No ar",
  domains_progress: "Em andamento",
  domains_attention: "Precisa de atenção",
  domains_partner: "{domain} leva a ele",
  domains_visit: "Visitar",
  domains_continue: "Continuar",
  domains_fix: "Corrigir",
  domains_remove: "Desconectar",
  remove_title: "Desconectar {domain}?",
  remove_lede:
    "Os visitantes de {domain} não chegarão mais a {brand}, e o certificado não será mais renovado. Você pode conectá-lo de novo quando quiser.",
  remove_dns:
    "Seus registros DNS ficam como estão. Remova-os você mesmo se não precisar mais deles.",
  remove_keep: "Manter",
  remove_confirm: "Desconectar",
  remove_problem: "Não foi possível desconectar. Tente de novo em instantes.",
  domains_removed: "Desconectado.",
  pair_title: "Conectar {domain} também?",
  pair_lede:
    "Muita gente digita www., muita gente não. Os dois endereços levam até você, e um deles fica no navegador.",
  pair_both: "Os dois, e os visitantes ficam em {domain}",
  pair_single: "Somente {domain}",
  pair_in_use: "{domain} mostra outra coisa no momento. Com os dois, isso é substituído.",
  pair_next: "{done} está aprovado. Agora aprove {domain} da mesma forma.",
  pair_one_by_one: "Seu provedor aprova um nome por vez: {domain} agora e {other} logo em seguida.",
  pair_change_leads: "{domain} e {other} levarão a {brand}",
  taken_title: "{domain} já está conectado",
  taken_lede:
    "Ele pertence a outra conta, talvez a uma antiga sua. Se é seu, prove: adicione um registro DNS, e a outra conta terá de provar também ou o perderá.",
  taken_drifted:
    "Outra conta o tinha, mas ele não leva mais para lá. Prove com um registro DNS que ele é seu, e ele passa para você.",
  taken_support: "Na dúvida?",
  taken_contact: "Fale com {brand}",
};
